"""A problem seen in another way: a search that gets stuck on one view may do well on another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Symmetry, Transform, tables
from tilework.core.puzzle.moves import Moves, reversed_moves


@dataclass(frozen=True, slots=True)
class View:
    symmetry: Symmetry  # of the grid, on start and goal alike
    reverse: bool  # whether start and goal are exchanged
    names: int | None  # seed of new names for the tiles; None leaves them as they are

    def of(self, board: Board, goal: Board) -> tuple[Board, Board]:
        sources, _ = tables(self.symmetry, board.size)
        names = self._new_names(board.size.cells)
        size = self.symmetry.size(board.size)
        start, end = (goal, board) if self.reverse else (board, goal)
        seen = [Board.trusted(names[one.cells[sources]], size) for one in (start, end)]
        return seen[0], seen[1]

    def seen(self, moves: Moves) -> Moves:
        image = self.symmetry.moves(moves)
        return reversed_moves(image) if self.reverse else image

    def unseen(self, moves: Moves) -> Moves:
        return Transform(self.symmetry, self.reverse).from_canonical(moves)

    def _new_names(self, cells: int) -> NDArray[np.int32]:
        names = np.arange(cells, dtype=np.int32)
        if self.names is not None:
            names[1:] = 1 + np.random.default_rng(self.names).permutation(cells - 1)
        return names


# Those that differ most from the ones before come first
_SYMMETRIES = (
    Symmetry(),
    Symmetry(transpose=True),
    Symmetry(mirror_x=True, mirror_y=True),
    Symmetry(True, True, True),
    Symmetry(mirror_x=True),
    Symmetry(True, True, False),
    Symmetry(mirror_y=True),
    Symmetry(True, False, True),
)

FORMS = 2 * len(_SYMMETRIES)  # views that differ by more than names


def view(number: int, seed: int = 0) -> View:
    """Return one of an endless list of views that are all different."""
    turn, form = divmod(number, FORMS)
    place, end = divmod(form, 2)
    names = None if turn == 0 else (seed << 32) + turn
    return View(_SYMMETRIES[place], end == 1, names)
