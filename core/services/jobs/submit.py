"""Submitting a board: the answer at once where it is known, a job where it is not."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.errors import NotFoundError
from tilework.core.model.job_views import EarlierRequest, JobView, SolutionView
from tilework.core.model.jobs import no_job
from tilework.core.model.states import Queue, new_id
from tilework.core.services.jobs.answers import ended_view
from tilework.core.services.jobs.idempotent import claim_key
from tilework.core.services.jobs.intake import TURN_S, Answered, Prepared, Slot, Submitting, prepare
from tilework.core.services.jobs.submission import Submission, check_item
from tilework.core.services.tickets import announce


@dataclass(frozen=True, slots=True)
class Accepted:
    """A job that was stored, and its solution where it was answered at once."""

    view: JobView
    solution: SolutionView | None


class SubmitJob(Submitting):
    """Takes one board."""

    def __call__(self, submission: Submission, *, brief: bool = False) -> JobView:
        """Do as `accept`, and return the job alone."""
        return self.accept(submission, brief=brief).view

    def accept(self, submission: Submission, *, brief: bool = False) -> Accepted:
        """Store a request.

        Parameters
        ----------
        brief : bool
            Whether the view is to be without the boards.

        Returns
        -------
        Accepted
            The job has ended (``finished``, ``cached``) where the answer was known well enough,
            else it is queued. For an idempotency key that was used for the same request, the job of
            that request, without its solution.

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
        start, goal = submission.start, submission.goal
        check_item(start, goal, submission.algorithm, submission.heuristic, self._settings)
        prepared = prepare(start, goal, submission.metric, fresh=submission.fresh)
        stored = self._mending.run(lambda: self._store(submission, prepared))
        announce(self._tickets, [stored.queue])
        if (known := stored.known) is not None:
            return Accepted(ended_view(known.job, known.solve, brief=brief), known.solution)
        now = self._clock()
        view = self._mending.run(lambda: self._view(stored.job_id, now, brief=brief))
        if view is None:
            raise NotFoundError(no_job(stored.job_id))
        return Accepted(view, None)

    def _view(self, job_id: str, now: float, *, brief: bool) -> JobView | None:
        with self._storage.reading() as session:
            return session.jobs.view(job_id, now, brief=brief)

    def _store(self, submission: Submission, prepared: Prepared) -> _Stored:
        now = self._clock()
        job_id = new_id()
        known = self._intake.answer(prepared, submission, Slot(job_id, now, now))
        queue: Queue | None = None
        fingerprint = submission.fingerprint([(submission.start, submission.goal)])
        with self._storage.writing() as session:
            self._intake.know(session, submission.client_id, now)
            request = EarlierRequest(fingerprint, job_id, None)
            client_id, key = submission.client_id, submission.idempotency_key
            earlier = claim_key(session, client_id, key, request, now)
            if earlier is not None and earlier.job_id is not None:
                return _Stored(earlier.job_id)
            if known is not None:
                session.jobs.add([known.job])
            else:
                mine = self._intake.admit(session, submission.client_id, 1)
                slot = Slot(job_id, now, now + mine * TURN_S)
                queue = self._intake.place(session, prepared, submission, slot)
        self._intake.remember(submission.client_id)
        return _Stored(job_id, queue, known)


@dataclass(frozen=True, slots=True)
class _Stored:
    """A job's id, the queue of its new work, and what is known of it without reading it back."""

    job_id: str
    queue: Queue | None = None
    known: Answered | None = None
