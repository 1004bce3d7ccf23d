"""A problem seen in another way: a search that gets stuck on one view may do well on another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Symmetry, Transform, tables


@dataclass(frozen=True, slots=True)
class View:
    transform: Transform  # of the grid, and which end the search begins at
    names: int | None  # seed of new names for the tiles; None leaves them as they are

    def of(self, board: Board, goal: Board) -> tuple[Board, Board]:
        symmetry = self.transform.symmetry
        sources, _ = tables(symmetry, board.size)
        names = np.arange(board.size.cells, dtype=np.int32)
        if self.names is not None:
            random = np.random.default_rng(self.names)
            names[1:] = 1 + random.permutation(board.size.cells - 1)
        size = symmetry.size(board.size)
        start, end = (goal, board) if self.transform.reverse else (board, goal)
        seen = [Board.trusted(names[one.cells[sources]], size) for one in (start, end)]
        return seen[0], seen[1]


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


def view(number: int) -> View:
    """Return one of an endless list of views that are all different."""
    turn, form = divmod(number, FORMS)
    place, end = divmod(form, 2)
    return View(Transform(_SYMMETRIES[place], end == 1), turn or None)
