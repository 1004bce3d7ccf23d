"""Reading batches and their results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial

from tilework.core.errors import DamagedRowError, DamagedSolveError
from tilework.core.model.batches import BatchFigures, BatchResult, BatchView, batch_not_found
from tilework.core.model.jobs import JobView
from tilework.core.model.solutions import SolutionHead
from tilework.core.puzzle.packing import unpack
from tilework.core.services.jobs.solution_views import blaming, view_job_solution
from tilework.core.services.long_polling import wait_for_change
from tilework.core.storage.database import Database

# Results that are read at a time.
PAGE = 200

_Row = tuple[JobView, SolutionHead | None, str | None]


class ReadBatch:
    """Reads batches."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage

    def view(self, batch_id: str) -> BatchView:
        """Return a batch and its progress; raise NotFoundError if there is no such batch."""
        with self._storage.reading() as session:
            view = session.batches.view(batch_id)
        if view is None:
            raise batch_not_found(batch_id)
        return view

    def version(self, batch_id: str) -> str:
        """Return the version of a batch's view."""
        return self.view(batch_id).version

    def versions(self, batch_ids: Collection[str]) -> dict[str, str]:
        """Return the versions of the batches that exist, by their ids."""
        with self._storage.reading() as session:
            return session.batches.versions(batch_ids)

    def wait(self, batch_id: str, version: str, seconds: float) -> BatchView:
        """Return the view as soon as its version differs, or after `seconds`."""
        wait_for_change(partial(self.version, batch_id), version, seconds)
        return self.view(batch_id)

    def figures(self, batch_id: str) -> list[BatchFigures]:
        """Return the figures of all jobs, in the order of the boards."""
        with self._storage.reading() as session:
            return session.batches.figures(batch_id)

    def jobs(self, batch_id: str, indexes: Sequence[int]) -> Iterator[JobView]:
        """Return an iterator over the jobs with these indexes, in that order, read page by page."""
        for first in range(0, len(indexes), PAGE):
            page = indexes[first : first + PAGE]
            yield from self._views(batch_id, page)

    def _views(self, batch_id: str, indexes: Sequence[int]) -> list[JobView]:
        with self._storage.reading() as session:
            return session.batches.views(batch_id, indexes)

    def results(self, batch_id: str) -> Iterator[BatchResult]:
        """Return an iterator over the results in the order of the boards, read page by page.

        Raises NotFoundError immediately if there is no such batch.
        """
        self.view(batch_id)
        return self._pages(batch_id)

    def _pages(self, batch_id: str) -> Iterator[BatchResult]:
        after = -1
        while True:
            rows = self._page(batch_id, after, PAGE)
            if not rows:
                return
            for row in rows:
                with suppress(DamagedRowError):
                    yield self._result(batch_id, row)
            after = _index(rows[-1])

    def _page(self, batch_id: str, after: int, limit: int) -> list[_Row]:
        with self._storage.reading() as session:
            return session.batches.lines(batch_id, after, limit)

    def _result(self, batch_id: str, row: _Row) -> BatchResult:
        """Return the result of a row, which is read again if its solve has just started again."""
        try:
            return self._read_solution(row)
        except DamagedSolveError:
            [current] = self._page(batch_id, _index(row) - 1, 1)
            return self._read_solution(current)

    def _read_solution(self, row: _Row) -> BatchResult:
        view, head, algorithm = row
        if head is None:
            return BatchResult(view, None, None)
        with self._storage.handling_damage(), blaming(head.solve_id):
            if head.long:
                # One at a time: all long solutions of a page could be gigabytes.
                with self._storage.reading() as session:
                    moves = session.solutions.best(head.solve_id)
            else:
                moves = unpack(head.packed)
            if moves is not None:
                moves = view_job_solution(view, moves, view.lower_bound).moves
        return BatchResult(view, moves, algorithm)


def _index(row: _Row) -> int:
    return row[0].batch_index or 0
