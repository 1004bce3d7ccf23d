"""Submitting a board: the answer at once where it is known, a job where it is not."""
from __future__ import annotations

from core.services.ports import Clock, Storage, Tickets, system_clock
from core.services.submission import Submission
from core.services.views import JobView
from core.settings import Settings


class SubmitJob:
    def __init__(
        self, storage: Storage, tickets: Tickets, settings: Settings, clock: Clock = system_clock
    ) -> None: ...

    def __call__(self, submission: Submission) -> JobView:
        """Store a request.

        Returns
        -------
        JobView
            Ended (``finished``) where the answer was known well enough, else queued.

        Raises
        ------
        UnsolvableError, OptionError, QuotaError, OverloadError, ConflictError
        """
        raise NotImplementedError
