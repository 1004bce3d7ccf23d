"""The solver of this process, behind the services' port. Loads Numba: only workers import this."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.puzzle.board import Board
from core.search.limits import Limits
from core.search.statistics import Statistics
from core.solver import solve as solver
from core.solver.optimal.cursor import Cursor
from core.solver.optimal.slice import first_threshold, search_slice
from core.solver.piece import Piece, SliceOutcome
from core.solver.result import SearchResult


class LocalSolver:
    """Implements ``core.services.ports.Solver``.

    Parameters
    ----------
    pdb_folder : Path
        Folder of the pattern databases.
    """

    def __init__(self, pdb_folder: Path) -> None:
        self._pdb_folder = pdb_folder
        self.solve = partial(solver.solve, pdb_folder=pdb_folder)
        self.first_threshold = partial(first_threshold, pdb_folder=pdb_folder)

    def root(self) -> Piece:
        """Return the whole tree."""
        return Piece(Cursor.root().to_bytes(), 1.0)

    def search(
        self,
        board: Board,
        goal: Board,
        threshold: int,
        cursor: bytes,
        *,
        nodes: int,
        cancelled: Callable[[], bool],
    ) -> SliceOutcome:
        """Search a part of a threshold's tree, about as many nodes as given."""
        return search_slice(
            board,
            goal,
            threshold,
            Cursor.from_bytes(cursor),
            nodes,
            cancelled=cancelled,
            pdb_folder=self._pdb_folder,
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
        # Imported here, so that its kernels are loaded or compiled only if they are used.
        from core.solver.large.beam import beam_search

        found = beam_search(
            board,
            goal,
            width,
            limits=Limits(cancelled=cancelled),
            pdb_folder=self._pdb_folder,
            upper_bound=upper_bound,
        )
        effort = Statistics(generated=found.nodes, seconds=found.seconds)
        return SearchResult(0, found.moves, "beam", effort, found.stopped_by)

    def split(self, board: Board, cursor: bytes) -> tuple[Piece, Piece] | None:
        """Split a cursor in two; None where there is nothing left to split."""
        halves = Cursor.from_bytes(cursor).split()
        if halves is None:
            return None
        one, other = (Piece(half.to_bytes(), half.share(board)) for half in halves)
        return one, other
