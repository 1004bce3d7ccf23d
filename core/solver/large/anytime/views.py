"""Equivalent views of a puzzle: a beam that gets stuck on one of them may succeed on another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Symmetry, Transform, tables


@dataclass(frozen=True, slots=True)
class View:
    transform: Transform  # symmetry of the grid, and whether the search starts at the goal
    names_seed: int | None  # for renaming the tiles; None keeps their names

    def apply(self, board: Board, goal: Board) -> tuple[Board, Board]:
        symmetry = self.transform.symmetry
        sources, _ = tables(symmetry, board.size)
        names = np.arange(board.size.cells, dtype=np.int32)
        if self.names_seed is not None:
            random = np.random.default_rng(self.names_seed)
            names[1:] = 1 + random.permutation(board.size.cells - 1)
        size = symmetry.size(board.size)
        start, end = (goal, board) if self.transform.reverse else (board, goal)
        return (
            Board.trusted(names[start.cells[sources]], size),
            Board.trusted(names[end.cells[sources]], size),
        )


# Each symmetry differs as much as possible from the previous ones
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

_FORMS = 2 * len(_SYMMETRIES)  # number of views that differ in more than the names of tiles


def make_view(number: int) -> View:
    """Return the view with this number in an endless sequence of different views."""
    names_seed, form = divmod(number, _FORMS)
    index, end = divmod(form, 2)
    return View(Transform(_SYMMETRIES[index], end == 1), names_seed or None)
