"""Cancelling a job."""
from __future__ import annotations

from core.services.ports import Clock, Storage, system_clock
from core.services.views import JobView


class CancelJob:
    def __init__(self, storage: Storage, clock: Clock = system_clock) -> None: ...

    def __call__(self, job_id: str, client_id: str) -> JobView:
        """A job that has ended stays as it is. Raises NotFoundError, ForbiddenError."""
        raise NotImplementedError
