"""Submitting a job for a textbook search, which a run of the lab answers.

A solution found by another search is not used, because the client wants to see what this search
does.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial

from tilework.core.lab.method import Method
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.ids import new_id
from tilework.core.model.job_options import JobOptions, MethodOptions
from tilework.core.model.jobs import Job, JobView
from tilework.core.model.lab.comparisons import RunLimits, check_cells
from tilework.core.model.method_names import check_target, heuristic_name
from tilework.core.model.states import JobState, Queue, RunState
from tilework.core.model.task_specs import RunSpec, digest
from tilework.core.model.tasks import NewTask, StoredTask
from tilework.core.puzzle.canonical import Symmetry, Transform
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.services.jobs.solution_views import view_stored_solution
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.jobs.submit import SubmitJob
from tilework.core.services.tasks.queueing import queue_tasks
from tilework.core.services.tasks.runs import DELAY_S, check_capacity, job_end
from tilework.core.services.tickets import announce
from tilework.core.storage.session import Session

_AS_GIVEN = Transform(Symmetry(False, False, False), False).to_text()


class SubmitMethod(SubmitJob):
    """Submits one board to the solver, or to the lab if the job names a textbook search."""

    def __call__(self, submission: Submission, *, brief: bool = False) -> JobView:
        """Store a job and return its view, without boards if it is ``brief``.

        A job for a textbook search has ended already (``cached``) if the same search has been run
        before. Otherwise it waits for a lab worker.

        Raises the errors of `SubmitJob`, and OptionError also for a target, which textbook searches
        do not have, and for limits or boards that are too large for the lab.
        """
        method = submission.options.method()
        if method is None:
            return super().__call__(submission, brief=brief)
        submission.check(self._settings, self._callbacks)
        spec = self._spec(submission, method)
        job_id, waiting = self._repair.run(partial(self._store_run, submission, spec))
        if waiting:
            announce(self._tickets, [Queue.LAB])
        return self._repair.run(partial(self._view_with_solution, job_id, brief=brief))

    def _spec(self, submission: Submission, method: Method) -> RunSpec:
        [(start, goal)] = submission.boards
        options = submission.options
        check_target(options.algorithm, options.parsed_target)
        check_cells(goal.size, self._settings)
        limits = RunLimits(options.time_limit_s, *_limits(options)).with_defaults(self._settings)
        check_solvable(start, goal)
        return RunSpec(start, goal, method, limits, None)

    def _store_run(self, submission: Submission, spec: RunSpec) -> tuple[str, int]:
        now = self._clock()
        job_id, client_id = new_id(), submission.client_id
        key, fingerprint = submission.idempotency_key, _fingerprint(submission, spec.method)
        with self._storage.writing() as session:
            self._ensure_client(session, client_id, now)
            if key is not None:
                earlier_id, _ = session.idempotency.claim(
                    client_id, key, fingerprint, now, job_id=job_id
                )
                if earlier_id is not None:
                    return earlier_id, 0
            self._check_quota(session, client_id, 1, now)
            before = session.comparisons.count_unfinished_runs(client_id)
            run_id = new_id()
            run_key = digest(run_id) if submission.fresh else spec.key
            new = NewTask(run_id, run_key, spec, Queue.LAB, now + before * DELAY_S)
            tasks, waiting = queue_tasks(session, [new], now)
            run = tasks[new.key]
            job = self._job_of_run(submission, spec, job_id, now)
            session.jobs.add([_with_run(session, job, run)])
            session.job_runs.add(job_id, run.id)
            check_capacity(session, self._settings, client_id, before)
        self._remember_client(client_id)
        return job_id, waiting

    def _job_of_run(self, submission: Submission, spec: RunSpec, job_id: str, now: float) -> Job:
        effective_options = {
            "heuristic": heuristic_name(spec.method),
            "time_limit_s": spec.limits.seconds or 0.0,
        }
        return Job(
            id=job_id,
            client_id=submission.client_id,
            options=submission.options.model_copy(update=effective_options),
            width=spec.start.width,
            height=spec.start.height,
            transform=_AS_GIVEN,
            created_at=now,
            # The time limit applies to the run itself. Before the run starts, the job may wait as
            # long as any other job.
            deadline=now + self._settings.max_time_limit_s,
            queue=Queue.LAB,
            bounds=Bounds(spec.start.manhattan(spec.goal)),
            callback_url=submission.callback_url,
            board_bytes=pack_board(spec.start),
            goal_bytes=pack_board(spec.goal),
        )

    def _view_with_solution(self, job_id: str, *, brief: bool) -> JobView:
        view = self._read(job_id, brief=brief)
        if not view.finished or view.upper_bound is None:
            return view
        with self._storage.reading() as session:
            answer = session.jobs.answer(job_id, self._storage.reading)
        return replace(view, solution=view_stored_solution(answer))


def _with_run(session: Session, job: Job, run: StoredTask) -> Job:
    """Return a new job in the state of the run that will answer it."""
    if run.state is RunState.RUNNING:
        return replace(job, state=JobState.RUNNING, started_at=job.created_at)
    row = session.comparisons.run(run.id) if run.state is RunState.DONE else None
    if row is None:
        return job
    end = job_end(job, row, job.bounds.lower)
    return replace(
        job,
        state=end.state,
        cached=True,
        finished_at=job.created_at,
        bounds=end.bounds,
        message=end.message,
        effort=end.effort,
    )


def _limits(options: JobOptions) -> tuple[int | None, int | None]:
    """Return the requested limits of nodes and bytes."""
    if isinstance(options, MethodOptions):
        return options.node_limit, options.memory_bytes
    return None, None


def _fingerprint(submission: Submission, method: Method) -> str:
    """Return a hash that identifies a repeated request with the same idempotency key."""
    options = submission.options
    # The names are only in the text below, as in fingerprints of older versions.
    without_names = options.model_copy(update={"algorithm": "auto", "heuristic": "auto"})
    fingerprint = replace(submission, options=without_names).fingerprint()
    nodes, memory_bytes = _limits(options)
    text = f"{fingerprint}|{options.algorithm}|{method.text}|{nodes}|{memory_bytes}"
    return hashlib.sha256(text.encode()).hexdigest() if fingerprint else ""
