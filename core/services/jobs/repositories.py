"""The storage's port for jobs that runs of the lab answer.

Who locks a run and its jobs locks the run first.
"""

from __future__ import annotations

from typing import Protocol

from tilework.core.services.farm.jobs import ActiveJob, Ending


class JobRuns(Protocol):
    """Which run a job waits for."""

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
