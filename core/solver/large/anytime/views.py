"""Equivalent views of a puzzle: a beam that gets stuck on one may succeed on another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Symmetry, Transform, tables


@dataclass(frozen=True, slots=True)
class View:
    transform: Transform  # symmetry of the grid, and whether the search begins at the goal
    names: int | None  # seed of new names for the tiles; None keeps their names

    def apply(self, board: Board, goal: Board) -> tuple[Board, Board]:
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


# Ordered so that each differs as much as possible from those before
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

_FORMS = 2 * len(_SYMMETRIES)  # views that differ in more than the names of tiles


def view(number: int) -> View:
    """Return a view from an endless sequence of different ones."""
    names, form = divmod(number, _FORMS)
    place, end = divmod(form, 2)
    return View(Transform(_SYMMETRIES[place], end == 1), names or None)
