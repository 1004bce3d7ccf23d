"""Supplies work for jobs: initial searches, parked slices, further trials."""

from __future__ import annotations

from collections.abc import Iterable

from tilework.core.model.endings import QUARANTINE_S
from tilework.core.model.farm.changes import Revival
from tilework.core.model.farm.solves import Slice
from tilework.core.model.ids import new_id
from tilework.core.model.jobs import Job
from tilework.core.model.states import Queue, SliceKind, SliceState
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.trial_events import add_trial
from tilework.core.solver.strategy import strictest_target


def supply_work(
    builder: DecisionBuilder,
    jobs: Iterable[Job],
    priority: float,
    *,
    cost_s: float | None = None,
) -> None:
    """Make sure that there is work for jobs, if possible.

    Resumes parked work, retries work that has been quarantined long enough, and adds the initial
    search of the config if there is no work at all.

    ``cost_s``: expected duration of a trial; without it, a trial is first in the queue.
    """
    for job in jobs:
        config, groups = builder.work_for(job)
        if not groups and (config is not None or builder.uses_thresholds(job)):
            add_initial_search(builder, job, priority)
        elif resumable := list(filter(builder.can_resume, groups)):
            # While one part of the search is under way, others may be parked.
            quarantined_before = builder.now - QUARANTINE_S
            queue = Queue.SEARCH if config is None else job.queue
            builder.changes.revivals.append(Revival(config, priority, quarantined_before, queue))
            builder.drop_groups(resumable)
            builder.work.append(resumable[0]._replace(state=SliceState.READY))
        state = builder.solve.improvement
        if (
            builder.uses_trials(job)
            and state.opened
            and not (builder.trials() and state.pending_trials)
        ):
            add_trial(builder, priority, cost_s=cost_s)


def add_initial_search(
    builder: DecisionBuilder,
    job: Job,
    priority: float,
    queue: Queue | None = None,
    *,
    cost_s: float | None = None,
) -> None:
    """Add the initial search of a job's config, with the strictest target of all its jobs.

    ``cost_s``: expected duration, for which the client is charged.
    """
    targets = [other.target for other in builder.jobs if other.config == job.config]
    slice_ = Slice(
        id=new_id(),
        solve_id=builder.solve.id,
        epoch=builder.solve.epoch,
        kind=SliceKind.INITIAL,
        queue=queue or job.queue,
        state=SliceState.READY,
        threshold=0,
        cursor=b"",
        config=job.config,
        target=strictest_target([*targets, job.target]),
        share=1.0,
        priority=priority,
    )
    builder.add_slices([slice_], cost_s)
