"""The solver of this process, as the work sees it. Loads Numba: only workers import this."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core import solver
from core.optimal.cursor import Cursor
from core.optimal.slice import first_threshold, run_slice
from core.puzzle.board import Board
from core.search.catalogue import Algorithm, Heuristic
from core.search.limits import Limits
from core.search.result import SearchResult, Statistics
from core.search.target import Target
from core.services.ports import Piece, SearchOutcome

# Larger boards have no search in slices.
MOST_CELLS = 36


class LocalEngine:
    """Implements ``core.services.ports.Engine``.

    Parameters
    ----------
    databases : Path
        Folder of the pattern databases.
    """

    def __init__(self, databases: Path) -> None:
        self._databases = databases

    def solve(
        self,
        board: Board,
        goal: Board,
        target: Target,
        limits: Limits,
        *,
        algorithm: Algorithm,
        heuristic: Heuristic,
    ) -> SearchResult:
        """Try a whole board in one go, within limits."""
        return solver.solve(
            board,
            goal,
            target=target,
            limits=limits,
            algorithm=algorithm,
            heuristic=heuristic,
            databases=self._databases,
        )

    def searchable(self, cells: int) -> bool:
        """Whether boards of so many cells can be searched in slices."""
        return cells <= MOST_CELLS

    def first_threshold(self, board: Board, goal: Board) -> int:
        """Return a proved lower bound, the threshold of the first iteration."""
        return first_threshold(board, goal, self._databases)

    def root(self) -> Piece:
        """Return the whole tree."""
        return Piece(Cursor.root().to_bytes(), 1.0)

    def run(
        self,
        board: Board,
        goal: Board,
        threshold: int,
        cursor: bytes,
        *,
        nodes: int,
        cancelled: Callable[[], bool],
    ) -> SearchOutcome:
        """Search a part of a threshold's tree, about as many nodes as given."""
        outcome = run_slice(
            board,
            goal,
            threshold,
            Cursor.from_bytes(cursor),
            nodes,
            cancelled=cancelled,
            databases=self._databases,
        )
        remaining = tuple(_piece(board, rest) for rest in outcome.remaining)
        return SearchOutcome(
            outcome.nodes, outcome.least_over, outcome.moves, remaining, outcome.engine
        )

    def improve(
        self,
        board: Board,
        goal: Board,
        width: int,
        upper_bound: int | None,
        cancelled: Callable[[], bool],
    ) -> SearchResult:
        """Look for a solution shorter than one known, with a beam of a width."""
        # Here, so that its kernels are loaded, or compiled, only where there is a use for them.
        from core.large.beam import beam_search

        found = beam_search(
            board,
            goal,
            width,
            limits=Limits(cancelled=cancelled),
            databases=self._databases,
            upper_bound=upper_bound,
        )
        effort = Statistics(generated=found.nodes, seconds=found.seconds)
        return SearchResult(0, found.moves, "beam", effort, found.stopped_by)

    def split(self, board: Board, cursor: bytes) -> tuple[Piece, Piece] | None:
        """Cut a cursor in two; None where there is nothing left to cut."""
        halves = Cursor.from_bytes(cursor).split()
        return None if halves is None else (_piece(board, halves[0]), _piece(board, halves[1]))


def _piece(board: Board, cursor: Cursor) -> Piece:
    return Piece(cursor.to_bytes(), cursor.share(board))
