"""Submitting a job that asks for a textbook search: a run of the lab is its answer.

What is known of the board by other means is no answer: asked for is what this search does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilework.core.errors import NotFoundError
from tilework.core.lab.method import Method
from tilework.core.model.comparisons import RunLimits, check_cells
from tilework.core.model.job_views import EarlierRequest
from tilework.core.model.jobs import NewJob, no_job
from tilework.core.model.solves import Course
from tilework.core.model.states import JobState, Queue, RunState, new_id
from tilework.core.model.task_specs import RunSpec, digest
from tilework.core.model.tasks import KnownTask, NewTask
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Symmetry, Transform
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.services.jobs.answers import solution_of
from tilework.core.services.jobs.idempotent import claim_key
from tilework.core.services.jobs.intake import Slot, Submitting
from tilework.core.services.jobs.methods import check_target, heuristic_name
from tilework.core.services.jobs.submission import SubmissionOptions
from tilework.core.services.jobs.submit import Accepted
from tilework.core.services.tasks.queueing import queue_tasks
from tilework.core.services.tasks.runs import TURN_S, check_room, job_end
from tilework.core.services.tickets import announce
from tilework.core.settings import Settings
from tilework.core.storage.session import Session

_AS_GIVEN = Transform(Symmetry(False, False, False), False).to_text()


@dataclass(frozen=True, kw_only=True)
class MethodSubmission(SubmissionOptions):
    """One board, and the textbook search that is to solve it.

    Attributes
    ----------
    name : str
        What the client calls the algorithm.
    node_limit, memory_bytes : int or None
        Of the run, as is the time limit; None is the default of the settings.
    """

    start: Board
    goal: Board
    name: str
    method: Method
    node_limit: int | None = None
    memory_bytes: int | None = None

    def spec(self, settings: Settings) -> RunSpec:
        """Return the run that is asked for.

        Raises
        ------
        OptionError
            For a target, which no textbook search has, or a limit or a board over what the lab
            allows.
        BoardError, UnsolvableError
            For a goal that does not fit, or cannot be reached.
        """
        check_target(self.name, self.target)
        check_cells(self.goal.size, settings)
        limits = RunLimits(self.time_limit_s, self.node_limit, self.memory_bytes).filled(settings)
        check_solvable(self.start, self.goal)
        return RunSpec(self.start, self.goal, self.method, limits, None)

    def fingerprint(self, items: Sequence[tuple[Board, Board]]) -> str:
        """Return a hash by which a repeated request of an idempotency key is recognized."""
        known = super().fingerprint(items)
        words = f"{known}|{self.name}|{self.method.text}|{self.node_limit}|{self.memory_bytes}"
        return hashlib.sha256(words.encode()).hexdigest() if known else ""


class SubmitMethod(Submitting):
    """Takes one board for a textbook search."""

    def accept(self, submission: MethodSubmission, *, brief: bool = False) -> Accepted:
        """Store a request.

        Parameters
        ----------
        brief : bool
            Whether the view is to be without the boards.

        Returns
        -------
        Accepted
            The job has ended (``cached``) where the very same run was made before, else it waits
            for a worker of the lab. For an idempotency key that was used for the same request, the
            job of that request.

        Raises
        ------
        OptionError, BoardError, UnsolvableError
            As `MethodSubmission.spec`.
        QuotaError, OverloadError
            Too many unfinished jobs or runs, of the client or of all.
        ConflictError
            The idempotency key was used for another request.
        """
        submission.check(self._settings, self._callbacks)
        spec = submission.spec(self._settings)
        job_id, waiting = self._mending.run(lambda: self._store(submission, spec))
        if waiting:
            announce(self._tickets, [Queue.LAB])
        return self._mending.run(lambda: self._accepted(job_id, brief=brief))

    def _store(self, submission: MethodSubmission, spec: RunSpec) -> tuple[str, int]:
        now = self._clock()
        job_id, client_id = new_id(), submission.client_id
        fingerprint = submission.fingerprint([(submission.start, submission.goal)])
        with self._storage.writing() as session:
            self._intake.know(session, client_id, now)
            request = EarlierRequest(fingerprint, job_id, None)
            earlier = claim_key(session, client_id, submission.idempotency_key, request, now)
            if earlier is not None and earlier.job_id is not None:
                return earlier.job_id, 0
            self._intake.admit(session, client_id, 1)
            before = session.comparisons.unfinished_runs_of(client_id)
            run_id = new_id()
            key = digest(run_id) if submission.fresh else spec.key
            new = NewTask(run_id, key, spec, Queue.LAB, now + before * TURN_S)
            known, waiting = queue_tasks(session, [new], now)
            run = known[new.key]
            session.jobs.add([self._job(session, submission, Slot(job_id, now, now), spec, run)])
            session.job_runs.add(job_id, run.id)
            check_room(session, self._settings, client_id, before)
        self._intake.remember(client_id)
        return job_id, waiting

    def _job(
        self,
        session: Session,
        submission: MethodSubmission,
        slot: Slot,
        spec: RunSpec,
        run: KnownTask,
    ) -> NewJob:
        lower_bound = spec.start.manhattan(spec.goal)
        job = NewJob(
            id=slot.job_id,
            solve_id=None,
            client_id=submission.client_id,
            board_bytes=pack_board(spec.start),
            goal_bytes=pack_board(spec.goal),
            width=spec.start.width,
            height=spec.start.height,
            transform=_AS_GIVEN,
            target=submission.target,
            course=Course(submission.name, heuristic_name(spec.method)),
            time_limit_s=spec.limits.seconds or 0.0,
            # The limit is the run's own, from when it begins. It may wait as long as any job.
            deadline=slot.now + self._settings.max_time_limit_s,
            queue=Queue.LAB,
            state=JobState.RUNNING if run.state is RunState.RUNNING else JobState.QUEUED,
            cached=False,
            created_at=slot.now,
            lower_bound=lower_bound,
            callback_url=submission.callback_url,
        )
        row = session.comparisons.run(run.id) if run.state is RunState.DONE else None
        if row is None:
            return job
        end = job_end(row, lower_bound)
        return replace(
            job,
            state=end.state,
            cached=True,
            finished_at=slot.now,
            upper_bound=end.upper_bound,
            message=end.message,
            effort=end.effort,
        )

    def _accepted(self, job_id: str, *, brief: bool) -> Accepted:
        now = self._clock()
        with self._storage.reading() as session:
            view = session.jobs.view(job_id, now, brief=brief)
            solved = view is not None and view.finished and view.upper_bound is not None
            answer = session.jobs.answer(job_id) if solved else None
        if view is None:
            raise NotFoundError(no_job(job_id))
        return Accepted(view, None if answer is None else solution_of(answer))
