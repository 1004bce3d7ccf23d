"""Handlers of events caused by clients and by time, and the work that jobs need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tilework.core.messages import Message
from tilework.core.model.farm.changes import NewSolution, Revival
from tilework.core.model.farm.solves import Bounds, Solve
from tilework.core.model.jobs import QUARANTINE_S, Effort, Job, find_known_end
from tilework.core.model.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import (
    BoundsLearned,
    JobCancelled,
    JobSubmitted,
    SolutionInvalidated,
    TimePassed,
    WorkDamaged,
)
from tilework.core.services.farm.state_machine.trial_events import add_trial
from tilework.core.solver.strategy import strictest_target
from tilework.core.solver.target import Algorithm
from tilework.core.solver.trial import Improvement


def on_job_submitted(builder: DecisionBuilder, event: JobSubmitted) -> None:
    """Accept a job: end it if the answer is known, otherwise supply work for it."""
    job, solve = event.job, builder.solve
    if find_known_end(job, solve) is not None:
        builder.changes.added_job = end_immediately(job, solve, builder.now)
        return
    twin = builder.find_twin(job) if solve.state is SolveState.ACTIVE else None
    if twin is not None:
        # The same work serves both jobs. Thousands of clients may request the same board.
        if twin.queue is not Queue.BATCH:
            job = replace(job, queue=twin.queue)
        elif job.queue is Queue.INTERACTIVE and twin.state is JobState.QUEUED:
            builder.changes.expedited = (job.config, event.priority)
        if twin.state is JobState.RUNNING:
            job = replace(job, state=JobState.RUNNING, started_at=builder.now)
        builder.changes.added_job = job
        return
    config, groups = builder.work_for(job)
    if config is not None and groups and job.queue is Queue.INTERACTIVE:
        builder.changes.expedited = (config, event.priority)
    if config is None and (groups or not builder.uses_thresholds(job)):
        # A long search is under way, parked, or about to restart.
        job = replace(job, queue=Queue.SEARCH)
    builder.changes.added_job = job
    builder.jobs.append(job)
    priority = event.search_priority() if job.queue is Queue.SEARCH else event.priority
    supply_work(builder, [job], priority)
    if solve.state is not SolveState.ACTIVE:
        builder.solve = replace(builder.solve, client_id=job.client_id)
    builder.end_jobs(quarantined=True)


def on_bounds_learned(builder: DecisionBuilder, event: BoundsLearned) -> None:
    """Store bounds derived from another board, and end the jobs that they answer."""
    solve, length = builder.solve, len(event.moves)
    if solve.settled:
        return
    lower_bound = event.lower_bound
    if solve.threshold is not None:
        if lower_bound < min(length, solve.upper_bound or length):
            # The search under way proves its own bounds, one threshold at a time.
            lower_bound = 0
        else:
            # The tree will not be completed, so its slices prove nothing.
            builder.delete_from(solve.threshold)
    builder.improve_bounds(lower_bound, event.moves, event.algorithm)
    if builder.solve.bounds != builder.before.bounds:
        builder.end_jobs()


def on_solution_invalidated(builder: DecisionBuilder, event: SolutionInvalidated) -> None:
    """Discard the results of the solve, and start over."""
    solve = builder.solve
    builder.delete_from(0)
    builder.work = []
    builder.changes.solution = NewSolution(None, None)
    builder.solve = replace(
        solve,
        bounds=Bounds(event.lower_bound),
        state=SolveState.IDLE,
        threshold=None,
        next_threshold=None,
        covered=0.0,
        epoch=solve.epoch + 1,
        pending=0,
        iterations=(),
        tried=frozenset(),
        improvement=Improvement(),
    )
    supply_work(builder, builder.jobs, builder.now)
    builder.update_state()


def on_work_damaged(builder: DecisionBuilder, _event: WorkDamaged) -> None:
    """Restart the current work from the proven bounds."""
    solve = builder.solve
    builder.drop_unfinished()
    if solve.threshold is not None:
        # The finished slices of lower thresholds stay: they prove the lower bound.
        builder.delete_from(solve.threshold)
    builder.solve = replace(
        builder.solve,
        threshold=None,
        next_threshold=None,
        covered=0.0,
        iterations=tuple(
            iteration for iteration in solve.iterations if iteration.threshold != solve.threshold
        ),
        improvement=replace(solve.improvement, pending_trials=()),
    )
    supply_work(builder, builder.jobs, builder.now)
    builder.update_state()


def on_job_cancelled(builder: DecisionBuilder, event: JobCancelled) -> None:
    """Cancel a job unless it has already ended."""
    for job in list(builder.jobs):
        if job.id == event.job_id:
            builder.end_job(job, JobState.CANCELLED, None)
            builder.update_state()


def on_time_passed(builder: DecisionBuilder, _event: TimePassed) -> None:
    """End jobs past their deadline, and add work for jobs that have none."""
    builder.end_jobs(quarantined=True)
    supply_work(builder, builder.jobs, builder.now)


def end_immediately(job: Job, solve: Solve, now: float) -> Job:
    """Return a job that ends immediately with the known result."""
    state, message = find_known_end(job, solve) or (JobState.BOUNDED, None)
    if message is None and job.config.algorithm != Algorithm.AUTO:
        message = Message(
            "known-already",
            "The answer was already known, so {algorithm} was not run. Request a fresh search to "
            "run it.",
            algorithm=job.config.algorithm,
        )
    return replace(
        job,
        solve_id=solve.id,
        state=state,
        cached=True,
        finished_at=now,
        bounds=solve.bounds,
        message=message,
        effort=Effort.of(solve),
    )


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
    slice_ = builder.new_slice(
        SliceKind.INITIAL,
        b"",
        priority,
        queue=queue or job.queue,
        config=job.config,
        target=strictest_target([*targets, job.target]),
        share=1.0,
    )
    builder.add_slices([slice_], cost_s)
