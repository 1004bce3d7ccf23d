"""The storage's ports for batches, keys of requests, and jobs that runs of the lab answer."""

from __future__ import annotations

from typing import Protocol

from tilework.core.model.batches import BatchLine, BatchView
from tilework.core.model.job_views import EarlierRequest
from tilework.core.model.jobs import ActiveJob, Ending


class JobRuns(Protocol):
    """Which run a job waits for.

    Who locks a run and its jobs locks the run first.
    """

    def add(self, job_id: str, run_id: str) -> None:
        """Let a locked run answer a job."""

    def run_of(self, job_id: str) -> str | None:
        """Return the run that answers a job; None of a job that has a solve, or none."""

    def unfinished(self, run_id: str) -> list[ActiveJob]:
        """Return the unfinished jobs of a locked run, oldest first."""

    def start(self, run_id: str, now: float) -> None:
        """Turn the queued jobs of a locked run into running ones."""

    def end(self, ending: Ending, now: float) -> None:
        """Give an unfinished job of a locked run its last state, and have its client called."""

    def due(self, now: float) -> list[str]:
        """Return ids of runs with a job past its deadline, at most 100."""


class Batches(Protocol):
    """Batches, and jobs as their lines."""

    def add(self, batch_id: str, client_id: str, total: int, now: float) -> None:
        """Insert a batch."""

    def view(self, batch_id: str) -> BatchView | None:
        """Return a batch and the states of its jobs."""

    def lines(self, batch_id: str, after: int, most: int) -> list[BatchLine]:
        """Return jobs of a batch in order, from after an index."""


class Idempotency(Protocol):
    """Which request a key stands for."""

    def find(self, client_id: str, key: str) -> EarlierRequest | None:
        """Return the request that a key stands for."""

    def claim(self, client_id: str, key: str, request: EarlierRequest, now: float) -> bool:
        """Register a key for a request; False where it is registered already."""
