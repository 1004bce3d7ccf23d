"""Submitting a board: the answer at once where it is known, a job where it is not."""

from __future__ import annotations

from tilework.core.model.job_views import JobView, job_view
from tilework.core.services.jobs.intake import TURN_S, Intake, Prepared, prepare
from tilework.core.services.jobs.submission import Submission, check_board
from tilework.core.services.tickets import announce


class SubmitJob(Intake):
    """Takes one board."""

    def __call__(self, submission: Submission, *, brief: bool = False) -> JobView:
        """Store a request.

        Parameters
        ----------
        brief : bool
            Whether the view is to be without the boards.

        Returns
        -------
        JobView
            The job has ended (``finished``, ``cached``), and its solution is with it, where the
            answer was known well enough, else it is queued. For an idempotency key that was used
            for the same request, the job of that request, without its solution.

        Raises
        ------
        OptionError, BoardError
            An option that is not offered, a board over the size limit, a goal that does not fit.
        UnsolvableError
            With the explanation.
        QuotaError, OverloadError
            Too many unfinished jobs, of the client or of all.
        ConflictError
            The idempotency key was used for another request.
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
        """Store a job; return it where it has ended, else its id."""
        now = self._clock()
        job, queue = self._job(submission, prepared, now), None
        known = self._answered(prepared, job)
        key, fingerprint = submission.idempotency_key, submission.fingerprint()
        with self._storage.writing() as session:
            self._know(session, job.client_id, now)
            earlier = session.idempotency.claim(job.client_id, key, fingerprint, now, job_id=job.id)
            if earlier is not None and earlier[0] is not None:
                return earlier[0]
            if known is not None:
                session.jobs.add([known[0]])
            else:
                mine = self._admit(session, job.client_id, 1)
                queue = self._place(session, prepared, job, now + mine * TURN_S)
        self._remember(job.client_id)
        announce(self._tickets, [queue])
        if known is None:
            return job.id
        ended, solve, solution = known
        return job_view(ended, solve, now, brief=brief, solution=solution)

    def _read(self, job_id: str, *, brief: bool) -> JobView:
        now = self._clock()
        with self._storage.reading() as session:
            return session.jobs.view(job_id, now, brief=brief)
