"""The distances of one pattern's placements, level by level."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.phrases import moves as moves_of
from tilework.core.puzzle.phrases import tiles as tiles_of
from tilework.core.solver.kernels.constants import UNREACHED
from tilework.core.solver.pdb.building.levels import Levels

Entries = NDArray[np.uint8]
MOST_MOVES = UNREACHED - 1  # the largest distance that an entry can hold


def fill_distances(
    entries: Entries,
    size: Size,
    goal_cells: NDArray[np.int64],
    goal_blank: int,
    placed: Callable[[int], object] = int,
    *,
    ranked: bool = False,
    threads: int = 1,
) -> None:
    """Compute the fewest moves of a pattern's tiles to their goal, wherever they lie.

    Parameters
    ----------
    entries : uint8[cells ** tiles], changed in place; all `UNREACHED` at first; those of two tiles
        in one cell stay so. The cell of tile i is the index's digit i in base ``cells``. If ranked,
        shape (cells! / (cells - tiles)!,) with the index of `tilework.core.solver.pdb.ranks`.
    size : Size; at most 36 cells
    goal_cells : int64[tiles]; at most 8 tiles
    goal_blank : int; the blank's cell in the goal
    placed : callable
        Called after each level that has any with how many more placements have their distance.
    ranked : bool; which index the entries have; at most 16 cells then
    threads : int; that share the work

    Notes
    -----
    Beside the entries this takes a byte for each placement, and two bits for each region of it.
    """
    with Levels(size, goal_cells, goal_blank, threads) as levels:
        placed(1)
        moved = 0
        while levels.any_state:
            moved += 1
            placements = levels.find_next(moved)
            if placements == 0:
                continue
            if moved > MOST_MOVES:
                raise OptionError(
                    "pattern-range",
                    "a placement of a pattern of {tiles} on a board of {size} is {moves} from its "
                    "goal; entries of pattern databases go up to {most}",
                    tiles=tiles_of(goal_cells.size),
                    size=size,
                    moves=moves_of(moved),
                    most=MOST_MOVES,
                )
            placed(placements)
        levels.place(entries, ranked=ranked)
