"""Reading jobs."""
from __future__ import annotations

from core.puzzle.board import Board
from core.services.ports import Clock, Storage, Tickets, system_clock
from core.services.views import (
    BoundEventView, JobView, QueueView, SolutionView, StatisticsView,
)


class ReadJob:
    def __init__(self, storage: Storage, tickets: Tickets, clock: Clock = system_clock) -> None: ...

    def view(self, job_id: str) -> JobView:
        """Raises NotFoundError."""
        raise NotImplementedError

    def version(self, job_id: str) -> str:
        raise NotImplementedError

    def wait(self, job_id: str, version: str, seconds: float) -> JobView:
        """Return the view as soon as its version is another, or after so many seconds."""
        raise NotImplementedError

    def solution(self, job_id: str) -> SolutionView | None:
        """None while there is none; NotFoundError without such a job."""
        raise NotImplementedError

    def history(self, job_id: str) -> list[BoundEventView]:
        raise NotImplementedError

    def jobs_of(self, client_id: str, limit: int = 50, before: str | None = None) -> list[JobView]:
        """Newest first; ``before`` is the id of the last job of the page before."""
        raise NotImplementedError

    def find_solution(self, start: Board, goal: Board) -> SolutionView | None:
        raise NotImplementedError

    def queues(self) -> list[QueueView]:
        raise NotImplementedError

    def statistics(self) -> StatisticsView:
        raise NotImplementedError
