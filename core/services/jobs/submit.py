"""Submits one board: the job is finished if the answer is known, and otherwise queued."""

from __future__ import annotations

from tilework.core.model.job_views import JobView, job_view
from tilework.core.services.jobs.intake import TURN_S, Intake, Prepared, prepare
from tilework.core.services.jobs.submission import Submission, check_board
from tilework.core.services.tickets import announce


class SubmitJob(Intake):
    """Submits one board."""

    def __call__(self, submission: Submission, *, brief: bool = False) -> JobView:
        """Store a job and return its view, without boards if it is ``brief``.

        If the answer is already known, the job has ended (``finished``, ``cached``) and contains
        its solution. If the idempotency key was used for an equal request, that job is returned,
        without its solution.

        Raises
        ------
        OptionError, BoardError
            If an option is not supported, the board is too large or the goal does not fit.
        UnsolvableError
            If the board cannot be solved.
        QuotaError, OverloadError
            If the client or the service has too many unfinished jobs.
        ConflictError
            If the idempotency key was used for another request.
        """
        submission.check(self._settings, self._callbacks)
        [(start, goal)] = submission.boards
        check_board(start, goal, submission.options, self._settings)
        prepared = prepare(start, goal, submission.options.metric, fresh=submission.fresh)
        stored = self._repair.run(lambda: self._store(submission, prepared, brief=brief))
        if isinstance(stored, JobView):
            return stored
        return self._repair.run(lambda: self._read(stored, brief=brief))

    def _store(self, submission: Submission, prepared: Prepared, *, brief: bool) -> JobView | str:
        """Store a job; return its view if it has ended, and otherwise its id."""
        now = self._clock()
        job, queue = self._make_job(submission, prepared, now), None
        known = None if submission.fresh else self._find_answer(prepared, job)
        with self._storage.writing() as session:
            self._ensure_client(session, job.client_id, now)
            if submission.idempotency_key is not None:
                earlier_id, _ = session.idempotency.claim(
                    job.client_id,
                    submission.idempotency_key,
                    submission.fingerprint(),
                    now,
                    job_id=job.id,
                )
                if earlier_id is not None:
                    return earlier_id
            if known is not None:
                session.jobs.add([known[0]])
            else:
                unfinished, preparation_s = self._check_quota(session, job.client_id, 1, now)
                priority = now + unfinished * TURN_S
                queue = self._enqueue(session, prepared, job, priority, preparation_s)
        self._remember_client(job.client_id)
        announce(self._tickets, [queue])
        if known is None:
            return job.id
        ended, solve, solution = known
        return job_view(ended, solve, now, brief=brief, solution=solution)

    def _read(self, job_id: str, *, brief: bool) -> JobView:
        now = self._clock()
        with self._storage.reading() as session:
            return session.job_views.view(job_id, now, brief=brief)
