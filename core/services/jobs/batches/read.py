"""Reading batches: how far they are, their boards, and their results line by line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tilework.core.errors import DamagedRowError
from tilework.core.model.batches import BatchLine, BatchResultView, BatchRowView, BatchView
from tilework.core.model.jobs import WITHDRAWN, no_batch
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import unpack, unpack_board
from tilework.core.services.farm.trust.mending import Mending
from tilework.core.services.jobs.answers import solution_view, told_of
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

# Results per page that is read.
PAGE = 200


class ReadBatch:
    """Reads batches."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._mending = Mending(storage, settings)

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
            raise no_batch(batch_id)
        return view

    def rows(self, batch_id: str, after: int, most: int, *, cells: int) -> list[BatchRowView]:
        """Return boards in their order, from after an index; tiles only of up to so many cells."""
        lines = self._mending.run(partial(self._page, batch_id, after, most))
        return [_row(line, cells) for line in lines]

    def results(self, batch_id: str) -> Iterator[BatchResultView]:
        """Yield the jobs in the order of the boards, read page by page as they are consumed.

        Raises
        ------
        NotFoundError
            If there is no such batch; at the call, not at the first result.
        """
        self.view(batch_id)
        return self._pages(batch_id)

    def _pages(self, batch_id: str) -> Iterator[BatchResultView]:
        after = -1
        while True:
            lines = self._mending.run(partial(self._page, batch_id, after, PAGE))
            if not lines:
                return
            for line in lines:
                yield self._result(batch_id, line)
            after = lines[-1].index

    def _page(self, batch_id: str, after: int, most: int) -> list[BatchLine]:
        with self._storage.reading() as session:
            return session.batches.lines(batch_id, after, most)

    def _result(self, batch_id: str, line: BatchLine) -> BatchResultView:
        """Return a line's result, read again where it turns out to be damaged."""
        try:
            return self._told(line)
        except DamagedRowError as error:
            self._mending.mend(error)

        def again() -> BatchResultView:
            [fresh] = self._page(batch_id, line.index - 1, 1)
            return self._told(fresh)

        return self._mending.run(again)

    def _told(self, line: BatchLine) -> BatchResultView:
        moves = self._moves(line)
        if moves is not None and line.head is not None:
            suspects = (("job", line.job_id), ("solve", line.head.solve_id))
            with told_of(*suspects):
                start, goal = unpack_board(line.board_bytes), unpack_board(line.goal_bytes)
                transform = Transform.from_text(line.transform)
            lower, metric = line.lower_bound, line.metric
            view = solution_view(start, goal, transform, moves, lower, *suspects, metric=metric)
            moves = view.moves
        return BatchResultView(
            index=line.index,
            job_id=line.job_id,
            state=line.state,
            width=line.width,
            height=line.height,
            lower_bound=line.lower_bound,
            upper_bound=line.upper_bound,
            moves=moves,
            message=WITHDRAWN if line.withdrawn else line.message,
            metric=line.metric,
        )

    def _moves(self, line: BatchLine) -> MoveSequence | None:
        if line.head is None:
            return None
        if not line.head.long:
            with told_of(("solve", line.head.solve_id)):
                return unpack(line.head.packed)
        # One line's at a time: all of a page could be gigabytes.
        with self._storage.reading() as session:
            return session.solutions.best(line.head.solve_id)


def _row(line: BatchLine, cells: int) -> BatchRowView:
    small = line.width * line.height <= cells
    return BatchRowView(
        index=line.index,
        job_id=line.job_id,
        state=line.state,
        width=line.width,
        height=line.height,
        board=unpack_board(line.board_bytes) if small else None,
        goal=unpack_board(line.goal_bytes) if small else None,
        lower_bound=line.lower_bound,
        upper_bound=line.upper_bound,
        seconds=None if line.finished_at is None else line.finished_at - line.created_at,
        message=WITHDRAWN if line.withdrawn else line.message,
    )
