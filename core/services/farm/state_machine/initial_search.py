"""The initial search of a config: its strategy, up to the first threshold worth sharing.

A search for few slides is a single slice, from beginning to end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilework.core.model.farm.changes import SliceAction
from tilework.core.model.farm.solves import Iteration, SliceResult
from tilework.core.model.jobs import Job
from tilework.core.model.states import JobState, Queue, SliceKind, SolveState
from tilework.core.puzzle.metric import Metric
from tilework.core.search.limits import StopReason
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import (
    BoundsImproved,
    InitialSearchEnded,
    SliceRunning,
    SlideSearchEnded,
)
from tilework.core.services.farm.state_machine.threshold_search import add_first_threshold
from tilework.core.services.farm.state_machine.trial_events import add_trial_if_none
from tilework.core.services.farm.state_machine.work_supply import add_initial_search, supply_work
from tilework.core.solver.result import SearchResult


def on_slice_running(builder: DecisionBuilder, event: SliceRunning) -> None:
    """Change the state of the jobs that a slice serves to running."""
    slice_ = event.slice
    builder.end_slice(slice_, SliceAction.KEEP, result=SliceResult(event.effort.generated))
    job_ids = [
        job.id
        for job in builder.jobs
        if job.state is JobState.QUEUED
        and (
            job.config == slice_.config
            if slice_.kind is SliceKind.INITIAL
            else builder.uses_thresholds(job) or builder.uses_trials(job)
        )
    ]
    builder.changes.started_jobs = tuple(job_ids)
    builder.changes.started_at = event.started_at


def on_bounds_improved(builder: DecisionBuilder, event: BoundsImproved) -> None:
    """Improve the bounds while an initial search continues."""
    result = event.result
    builder.end_slice(event.slice, SliceAction.KEEP, result=SliceResult(event.effort.generated))
    if builder.solve.metric is Metric.SLIDES:
        _take_result(builder, replace(result, lower_bound=0))
        # The search's end stores the record of its bound, so this bound may not settle the solve.
        upper = builder.solve.upper_bound
        lower = result.lower_bound if upper is None else min(result.lower_bound, upper - 1)
        if lower > builder.solve.lower_bound:
            builder.solve = replace(builder.solve.with_bounds(lower, None), iterations=())
    else:
        _take_result(builder, result)
    if builder.solve.bounds != builder.before.bounds:
        builder.end_jobs(event.started_at)


def on_initial_search_ended(builder: DecisionBuilder, event: InitialSearchEnded) -> None:
    """End an initial search, and plan the next step if the gap is still open."""
    slice_, result = event.slice, event.result
    _end_slice(builder, event)
    is_met = slice_.target.is_met_by(*builder.solve.bounds)
    is_cut_short = is_met or result.stopped_by is StopReason.CANCELLED
    has_trials = builder.uses_trials(slice_) and result.moves is not None
    if has_trials:
        improvement = replace(builder.solve.improvement, opened=True)
        builder.solve = replace(builder.solve, improvement=improvement)
    if not is_cut_short and event.threshold is None and not has_trials:
        # An initial search that reached its time limit is exhausted as well.
        builder.solve = replace(builder.solve, tried=builder.solve.tried | {slice_.config})
    builder.end_jobs(event.started_at)
    if builder.solve.state is not SolveState.ACTIVE:
        return
    waiting = [job for job in builder.jobs if job.config == slice_.config]
    if not waiting:
        return
    if is_cut_short and not has_trials:
        # It was stopped before this job was submitted, or this job has a stricter target.
        if not builder.groups_for(slice_.config):
            add_initial_search(builder, waiting[0], builder.now, slice_.queue)
        return
    if event.threshold is not None and not builder.groups_for(None):
        # Slices of an earlier search of this threshold would be mixed with those of the new one.
        builder.delete_from(max(builder.solve.lower_bound, event.threshold))
        add_first_threshold(builder, event, event.threshold)
    add_trial_if_none(builder, slice_.priority, event.seconds)
    if event.threshold is not None or has_trials:
        supply_work(builder, waiting, builder.now)
        # The first estimate may already close the gap.
        builder.end_jobs(event.started_at, quarantined=True)
        _move_to_search(builder, [job for job in builder.jobs if job in waiting], event.started_at)


def on_slide_search_ended(builder: DecisionBuilder, event: SlideSearchEnded) -> None:
    """End a search for few slides; a search that took too long restarts as a long search."""
    slice_, result = event.slice, event.result
    _end_slice(builder, event)
    if result.lower_bound >= builder.before.lower_bound:
        # The record of an earlier search does not prove a better bound.
        record = tuple(Iteration(*threshold[:3]) for threshold in result.thresholds)
        builder.solve = replace(builder.solve, iterations=record)
    took_too_long = result.stopped_by is StopReason.TIME and slice_.queue is not Queue.SEARCH
    is_cancelled = result.stopped_by is StopReason.CANCELLED
    if not (took_too_long or is_cancelled or slice_.target.is_met_by(*builder.solve.bounds)):
        builder.solve = replace(builder.solve, tried=builder.solve.tried | {slice_.config})
    builder.end_jobs(event.started_at)
    waiting = [job for job in builder.jobs if job.config == slice_.config]
    if (
        builder.solve.state is not SolveState.ACTIVE
        or not waiting
        or builder.groups_for(slice_.config)
    ):
        return
    # It took too long, or was stopped before this job was submitted, or the job's target is
    # stricter.
    queue = Queue.SEARCH if took_too_long else slice_.queue
    add_initial_search(
        builder, waiting[0], builder.now, queue, cost_s=event.seconds if took_too_long else None
    )
    if took_too_long:
        _move_to_search(builder, waiting, event.started_at)


def _end_slice(builder: DecisionBuilder, event: InitialSearchEnded | SlideSearchEnded) -> None:
    """End the slice of a search, charge for it, and store its result."""
    builder.end_slice(event.slice, SliceAction.DELETE)
    if event.slice.queue is Queue.SEARCH:
        builder.changes.charged_s = event.seconds
    _take_result(builder, event.result)


def _take_result(builder: DecisionBuilder, result: SearchResult) -> None:
    builder.improve_bounds(result.lower_bound, result.moves, result.algorithm)
    engine = result.engine or builder.solve.engine
    builder.solve = replace(builder.solve, engine=engine)


def _move_to_search(builder: DecisionBuilder, jobs: Sequence[Job], started_at: float) -> None:
    """Move running jobs to the queue of long searches."""
    builder.changes.moved_jobs = tuple(job.id for job in jobs)
    builder.changes.started_at = started_at
