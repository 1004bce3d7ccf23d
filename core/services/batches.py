"""Batches: many boards in one request."""
from __future__ import annotations

from collections.abc import Iterator

from core.services.ports import Clock, Storage, Tickets, system_clock
from core.services.submission import BatchSubmission
from core.services.views import BatchResultView, BatchView
from core.settings import Settings


class SubmitBatch:
    def __init__(
        self, storage: Storage, tickets: Tickets, settings: Settings, clock: Clock = system_clock
    ) -> None: ...

    def __call__(self, submission: BatchSubmission) -> BatchView:
        """Raises as SubmitJob, but unsolvable boards become failed jobs with a message."""
        raise NotImplementedError


class ReadBatch:
    def __init__(self, storage: Storage) -> None: ...

    def view(self, batch_id: str) -> BatchView:
        """Raises NotFoundError."""
        raise NotImplementedError

    def results(self, batch_id: str) -> Iterator[BatchResultView]:
        """Results in the order of the boards, read page by page while the caller consumes them."""
        raise NotImplementedError
