"""Searches for few slides: each is one slice, from the beginning to the end of its course."""

from __future__ import annotations

from dataclasses import replace

from tilework.core.model.changes import Charge, Drop, MoveJobs
from tilework.core.model.solves import Iteration
from tilework.core.model.states import Queue, SolveState
from tilework.core.search.limits import StopReason
from tilework.core.services.farm.life.draft import Draft
from tilework.core.services.farm.life.events import Slid
from tilework.core.services.farm.life.work import open_course


def slid(draft: Draft, event: Slid) -> None:
    """End a search for few slides; one that was too long for its queue begins again elsewhere."""
    piece, result = event.piece, event.result
    draft.add(Drop(piece))
    if piece.queue is Queue.SEARCH:
        draft.add(Charge(event.seconds))
    nodes = result.statistics.generated
    draft.take_bounds(result.lower_bound, result.moves, result.algorithm, nodes, event.seconds)
    draft.solve = replace(draft.solve, wall_s=draft.solve.wall_s + event.seconds)
    if result.lower_bound >= draft.before.lower_bound:
        # What proves the bound; the record of an earlier search proves no more.
        record = tuple(Iteration(*one[:3]) for one in result.thresholds)
        draft.solve = replace(draft.solve, iterations=record)
    too_long = result.stopped_by is StopReason.TIME and piece.queue is not Queue.SEARCH
    cancelled = result.stopped_by is StopReason.CANCELLED
    if not (too_long or cancelled or piece.target.met_by(*draft.solve.bounds)):
        draft.solve = replace(draft.solve, tried=draft.solve.tried | {piece.course})
    draft.end_jobs(event.started_at)
    waiting = [job for job in draft.jobs if job.course == piece.course]
    if draft.solve.state is not SolveState.ACTIVE or not waiting or draft.groups_of(piece.course):
        return
    # Else it was stopped before somebody else asked, or somebody asks for more than it was to do.
    queue = Queue.SEARCH if too_long else piece.queue
    open_course(draft, waiting[0], draft.now, queue, cost_s=event.seconds if too_long else None)
    if too_long:
        draft.add(MoveJobs(tuple(job.id for job in waiting), queue, event.started_at))
