"""Reading batches: how far they are, their boards, and their results line by line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tilework.core.errors import DamagedRowError
from tilework.core.model.batches import BatchResult, BatchView
from tilework.core.model.job_views import JobView
from tilework.core.model.jobs import batch_not_found
from tilework.core.model.solutions import SolutionHead
from tilework.core.puzzle.packing import unpack
from tilework.core.services.farm.repair import Repair
from tilework.core.services.jobs.solution_views import blame_rows, view_job_solution
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

# Results per page that is read.
PAGE = 200

_Line = tuple[JobView, SolutionHead | None]


class ReadBatch:
    """Reads batches."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._repair = Repair(storage, settings)

    def view(self, batch_id: str) -> BatchView:
        """Return a batch and its progress.

        Raises
        ------
        NotFoundError
            If there is no such batch.
        """
        with self._storage.reading() as session:
            view = session.batches.view(batch_id)
        if view is None:
            raise batch_not_found(batch_id)
        return view

    def rows(self, batch_id: str, after: int, most: int) -> list[JobView]:
        """Return jobs in the order of the boards, from after an index."""
        return [view for view, _ in self._repair.run(partial(self._page, batch_id, after, most))]

    def results(self, batch_id: str) -> Iterator[BatchResult]:
        """Yield the jobs in the order of the boards, read page by page as they are consumed.

        Raises
        ------
        NotFoundError
            If there is no such batch; at the call, not at the first result.
        """
        self.view(batch_id)
        return self._pages(batch_id)

    def _pages(self, batch_id: str) -> Iterator[BatchResult]:
        after = -1
        while True:
            lines = self._repair.run(partial(self._page, batch_id, after, PAGE))
            if not lines:
                return
            for line in lines:
                yield self._result(batch_id, line)
            after = _place(lines[-1])

    def _page(self, batch_id: str, after: int, most: int) -> list[_Line]:
        now = self._storage.clock()
        with self._storage.reading() as session:
            return session.batches.lines(batch_id, after, most, now)

    def _result(self, batch_id: str, line: _Line) -> BatchResult:
        """Return a line's result, read again where it turns out to be damaged."""
        try:
            return self._told(line)
        except DamagedRowError as error:
            self._repair.repair(error)

        def again() -> BatchResult:
            [fresh] = self._page(batch_id, _place(line) - 1, 1)
            return self._told(fresh)

        return self._repair.run(again)

    def _told(self, line: _Line) -> BatchResult:
        view, head = line
        if head is None:
            return BatchResult(view, None)
        if head.long:
            # One line's at a time: all of a page could be gigabytes.
            with self._storage.reading() as session:
                moves = session.solutions.best(head.solve_id)
        else:
            with blame_rows(("solve", head.solve_id)):
                moves = unpack(head.packed)
        if moves is not None:
            moves = view_job_solution(view, moves, view.lower_bound).moves
        return BatchResult(view, moves)


def _place(line: _Line) -> int:
    return line[0].batch_index or 0
