"""A problem seen in another way: a search that gets stuck on one view may do well on another.

The views of a problem are equally hard, as the canonical form says
(`tilework.core.puzzle.canonical`), but no beam treats them alike: it meets other boards first,
breaks ties otherwise, and begins at the other end where start and goal are exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.moves import Moves, reversed_moves
from tilework.core.puzzle.symmetry import Symmetry, tables


@dataclass(frozen=True, slots=True)
class View:
    """A way to see a problem.

    Attributes
    ----------
    symmetry : Symmetry
        Of the grid, on start and goal alike.
    reverse : bool
        Whether start and goal are exchanged.
    names : int or None
        Seed of new names for the tiles; None leaves them as they are.
    """

    symmetry: Symmetry
    reverse: bool
    names: int | None

    def of(self, board: Board, goal: Board) -> tuple[Board, Board]:
        """Return start and goal of the problem seen so.

        Parameters
        ----------
        board, goal : Board
            Of one size.
        """
        sources, _ = tables(self.symmetry, board.size)
        names = self._new_names(board.size.cells)
        size = self.symmetry.size(board.size)
        start, end = (goal, board) if self.reverse else (board, goal)
        seen = [Board.trusted(names[one.cells[sources]], size) for one in (start, end)]
        return seen[0], seen[1]

    def seen(self, moves: Moves) -> Moves:
        """Turn a solution of the problem into one of the problem seen so."""
        image = self.symmetry.moves(moves)
        return reversed_moves(image) if self.reverse else image

    def unseen(self, moves: Moves) -> Moves:
        """Turn a solution of the problem seen so into one of the problem."""
        return Transform(self.symmetry, self.reverse).from_canonical(moves)

    def _new_names(self, cells: int) -> NDArray[np.int32]:
        names = np.arange(cells, dtype=np.int32)
        if self.names is not None:
            names[1:] = 1 + np.random.default_rng(self.names).permutation(cells - 1)
        return names


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
"""Those that differ most from the ones before come first."""

FORMS = 2 * len(_SYMMETRIES)
"""Views that differ by more than names."""


def view(number: int, seed: int = 0) -> View:
    """Return one of an endless list of views that are all different.

    Parameters
    ----------
    number : int
        From 0, the problem as it is. Every other view exchanges start and goal.
    seed : int
        Of the names, which change once all forms have had their turn.
    """
    turn, form = divmod(number, FORMS)
    place, end = divmod(form, 2)
    names = None if turn == 0 else (seed << 32) + turn
    return View(_SYMMETRIES[place], end == 1, names)
