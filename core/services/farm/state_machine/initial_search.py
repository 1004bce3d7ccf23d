"""The initial search of a config: what its strategy tries before the search by thresholds.

A search for few slides is one slice, from the beginning to the end of its config.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilework.core.model.changes import SliceAction
from tilework.core.model.jobs import Job
from tilework.core.model.solves import Iteration
from tilework.core.model.states import JobState, Queue, SliceKind, SolveState
from tilework.core.puzzle.metric import Metric
from tilework.core.search.limits import StopReason
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import Noted, Opened, Slid, Started
from tilework.core.services.farm.state_machine.threshold_search import plan, start_threshold
from tilework.core.services.farm.state_machine.trial_events import add_trial
from tilework.core.services.farm.state_machine.work_supply import add_initial_search, supply_work


def started(draft: DecisionBuilder, event: Started) -> None:
    """Show the jobs that a slice serves as running."""
    piece = event.piece
    draft.end_slice(piece, SliceAction.KEEP)
    served = [
        job.id
        for job in draft.jobs
        if job.state is JobState.QUEUED
        and (
            job.config == piece.config
            if piece.kind is SliceKind.OPEN
            else draft.is_deepened(job) or draft.is_improved(job)
        )
    ]
    draft.changes.started_jobs = tuple(served)


def noted(draft: DecisionBuilder, event: Noted) -> None:
    """Improve the bounds while an opening goes on."""
    draft.end_slice(event.piece, SliceAction.KEEP)
    draft.take_bounds(event.lower_bound, event.moves, event.algorithm, 0, 0.0)
    if draft.solve.metric is Metric.SLIDES:
        # The record of how its bound was proved comes with the end of the search.
        draft.solve = replace(draft.solve, iterations=())
    if draft.solve.bounds != draft.before.bounds:
        draft.end_jobs(event.started_at)


def opened(draft: DecisionBuilder, event: Opened) -> None:
    """End an opening; plan what comes next where bounds are still too far apart."""
    piece, result = event.piece, event.result
    _take_result(draft, event)
    met = piece.target.is_met_by(*draft.solve.bounds)
    cut_short = met or result.stopped_by is StopReason.CANCELLED
    goes_on = draft.is_improved(piece) and result.moves is not None
    if goes_on:
        improvement = replace(draft.solve.improvement, opened=True)
        draft.solve = replace(draft.solve, improvement=improvement)
    if not cut_short and event.threshold is None and not goes_on:
        # An opening that a limit ended has had its time, too.
        draft.solve = replace(draft.solve, tried=draft.solve.tried | {piece.config})
    draft.end_jobs(event.started_at)
    if draft.solve.state is not SolveState.ACTIVE:
        return
    waiting = [job for job in draft.jobs if job.config == piece.config]
    if not waiting:
        return
    if cut_short and not goes_on:
        # It was stopped before somebody else asked, or somebody asks for more than it was to do.
        if not draft.groups_of(piece.config):
            add_initial_search(draft, waiting[0], draft.now, piece.queue)
        return
    if event.threshold is not None and not draft.groups_of(None):
        # What an earlier search of this threshold left cannot be told from this one's.
        draft.forget(max(draft.solve.lower_bound, event.threshold))
        start_threshold(draft, event.threshold)
        plan(draft, event)
    if goes_on and draft.solve.state is SolveState.ACTIVE and not draft.tries():
        add_trial(draft, piece.turn, cost_s=event.seconds)
    if event.threshold is not None or goes_on:
        supply_work(draft, waiting, draft.now)
        # The estimate itself may have proved what there was to prove.
        draft.end_jobs(event.started_at, quarantined=True)
        _move_to_search(draft, [job for job in draft.jobs if job in waiting], event.started_at)


def slid(draft: DecisionBuilder, event: Slid) -> None:
    """End a search for few slides; one that was too long for its queue begins again elsewhere."""
    piece, result = event.piece, event.result
    _take_result(draft, event)
    if result.lower_bound >= draft.before.lower_bound:
        # What proves the bound; the record of an earlier search proves no more.
        record = tuple(Iteration(*one[:3]) for one in result.thresholds)
        draft.solve = replace(draft.solve, iterations=record)
    too_long = result.stopped_by is StopReason.TIME and piece.queue is not Queue.SEARCH
    cancelled = result.stopped_by is StopReason.CANCELLED
    if not (too_long or cancelled or piece.target.is_met_by(*draft.solve.bounds)):
        draft.solve = replace(draft.solve, tried=draft.solve.tried | {piece.config})
    draft.end_jobs(event.started_at)
    waiting = [job for job in draft.jobs if job.config == piece.config]
    if draft.solve.state is not SolveState.ACTIVE or not waiting or draft.groups_of(piece.config):
        return
    # Else it was stopped before somebody else asked, or somebody asks for more than it was to do.
    queue = Queue.SEARCH if too_long else piece.queue
    add_initial_search(
        draft, waiting[0], draft.now, queue, cost_s=event.seconds if too_long else None
    )
    if too_long:
        _move_to_search(draft, waiting, event.started_at)


def _take_result(draft: DecisionBuilder, event: Opened | Slid) -> None:
    """End the slice of a search, charge for it, and take what it found and cost."""
    result = event.result
    draft.end_slice(event.piece, SliceAction.DELETE)
    if event.piece.queue is Queue.SEARCH:
        draft.changes.charged_s = event.seconds
    nodes = result.statistics.generated
    draft.take_bounds(result.lower_bound, result.moves, result.algorithm, nodes, event.seconds)
    draft.solve = replace(draft.solve, wall_s=draft.solve.wall_s + event.seconds)


def _move_to_search(draft: DecisionBuilder, jobs: Sequence[Job], started_at: float) -> None:
    """Let jobs that have started go on in the queue of long searches."""
    draft.changes.moved_jobs = tuple(job.id for job in jobs)
    draft.changes.started_at = started_at
