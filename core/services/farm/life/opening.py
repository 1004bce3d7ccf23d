"""The opening of a course: what its strategy tries before the search by thresholds."""

from __future__ import annotations

from dataclasses import replace

from tilework.core.model.changes import Charge, Drop, Forget, Keep, MoveJobs, StartJobs
from tilework.core.model.states import JobState, Queue, SliceKind, SolveState
from tilework.core.puzzle.metric import Metric
from tilework.core.search.limits import StopReason
from tilework.core.services.farm.life.draft import Draft
from tilework.core.services.farm.life.events import Noted, Opened, Started
from tilework.core.services.farm.life.improving import try_on
from tilework.core.services.farm.life.searching import plan, start_threshold
from tilework.core.services.farm.life.work import open_course, see_to


def started(draft: Draft, event: Started) -> None:
    """Show the jobs that a slice serves as running."""
    piece = event.piece
    draft.add(Keep(piece))
    served = [
        job.id
        for job in draft.jobs
        if job.state is JobState.QUEUED
        and (
            job.course == piece.course
            if piece.kind is SliceKind.OPEN
            else draft.is_deepened(job) or draft.is_improved(job)
        )
    ]
    if served:
        draft.add(StartJobs(tuple(served)))


def noted(draft: Draft, event: Noted) -> None:
    """Improve the bounds while an opening goes on."""
    draft.add(Keep(event.piece))
    draft.take_bounds(event.lower_bound, event.moves, event.algorithm, 0, 0.0)
    if draft.solve.metric is Metric.SLIDES:
        # The record of how its bound was proved comes with the end of the search.
        draft.solve = replace(draft.solve, iterations=())
    if draft.solve.bounds != draft.before.bounds:
        draft.end_jobs(event.started_at)


def opened(draft: Draft, event: Opened) -> None:
    """End an opening; plan what comes next where bounds are still too far apart."""
    piece, result = event.piece, event.result
    draft.add(Drop(piece))
    if piece.queue is Queue.SEARCH:
        draft.add(Charge(event.seconds))
    nodes = result.statistics.generated
    draft.take_bounds(result.lower_bound, result.moves, result.algorithm, nodes, event.seconds)
    draft.solve = replace(draft.solve, wall_s=draft.solve.wall_s + event.seconds)
    met = piece.target.met_by(*draft.solve.bounds)
    cut_short = met or result.stopped_by is StopReason.CANCELLED
    goes_on = draft.is_improved(piece) and result.moves is not None
    if goes_on:
        improvement = replace(draft.solve.improvement, opened=True)
        draft.solve = replace(draft.solve, improvement=improvement)
    if not cut_short and event.threshold is None and not goes_on:
        # An opening that a limit ended has had its time, too.
        draft.solve = replace(draft.solve, tried=draft.solve.tried | {piece.course})
    draft.end_jobs(event.started_at)
    if draft.solve.state is not SolveState.ACTIVE:
        return
    waiting = [job for job in draft.jobs if job.course == piece.course]
    if not waiting:
        return
    if cut_short and not goes_on:
        # It was stopped before somebody else asked, or somebody asks for more than it was to do.
        if not draft.groups_of(piece.course):
            open_course(draft, waiting[0], draft.now, piece.queue)
        return
    if event.threshold is not None and not draft.groups_of(None):
        # What an earlier search of this threshold left cannot be told from this one's.
        draft.add(Forget(max(draft.solve.lower_bound, event.threshold)))
        start_threshold(draft, event.threshold)
        plan(draft, event)
    if goes_on and draft.solve.state is SolveState.ACTIVE and not draft.tries():
        try_on(draft, piece.turn, cost_s=event.seconds)
    if event.threshold is not None or goes_on:
        see_to(draft, waiting, draft.now)
        # The estimate itself may have proved what there was to prove.
        draft.end_jobs(event.started_at, quarantined=True)
        moved = tuple(job.id for job in draft.jobs if job in waiting)
        if moved:
            draft.add(MoveJobs(moved, Queue.SEARCH, event.started_at))
