"""Seeing to it that there is work for jobs: openings, what was parked, further tries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tilework.core.model.changes import AddSlices, Revive, WorkGroup
from tilework.core.model.jobs import Job
from tilework.core.model.solves import Slice
from tilework.core.model.states import Queue, SliceKind, SliceState, new_id
from tilework.core.services.farm.life.draft import Draft
from tilework.core.services.farm.life.improving import try_on
from tilework.core.solver.strategy import strictest


def see_to(draft: Draft, jobs: Iterable[Job], turn: float) -> None:
    """Make sure that there is work for jobs, as far as possible.

    What was parked goes on; what was quarantined long enough ago gets another chance; where
    there is nothing at all, the opening of the course is added.
    """
    for job in jobs:
        course, groups = draft.serving(job)
        resting = [group for group in groups if draft.can_wait_again(group)]
        if not groups and (course is not None or draft.is_deepened(job)):
            open_course(draft, job, turn)
        elif resting:
            # While a part of the search is still under way, others may be parked.
            latest = draft.now - draft.rules.quarantine_s
            queue = Queue.SEARCH if course is None else job.queue
            draft.add(Revive(course, turn, latest, queue))
            draft.lose(resting)
            draft.work.append(replace(resting[0], state=SliceState.READY))
        state = draft.solve.improvement
        if draft.is_improved(job) and state.opened and not (draft.tries() and state.under_way):
            try_on(draft, turn)


def open_course(
    draft: Draft,
    job: Job,
    turn: float,
    queue: Queue | None = None,
    *,
    cost_s: float | None = None,
) -> None:
    """Add the opening of a job's course, for the strictest target among those who ask.

    Parameters
    ----------
    cost_s : float, optional
        What it is expected to take, by which the client is charged.
    """
    targets = [one.target for one in draft.jobs if one.course == job.course]
    piece = Slice(
        id=new_id(),
        solve_id=draft.solve.id,
        epoch=draft.solve.epoch,
        kind=SliceKind.OPEN,
        queue=queue or job.queue,
        state=SliceState.READY,
        threshold=0,
        cursor=b"",
        course=job.course,
        target=strictest([*targets, job.target]),
        share=1.0,
        turn=turn,
    )
    draft.add(AddSlices((piece,), cost_s))
    draft.work.append(WorkGroup(SliceKind.OPEN, SliceState.READY, job.course, 1, None, draft.now))
