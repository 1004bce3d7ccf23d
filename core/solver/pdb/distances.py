"""The distances of one pattern's placements, level by level."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.phrases import moves as moves_of
from tilework.core.puzzle.phrases import tiles as tiles_of
from tilework.core.solver.kernels.constants import UNREACHED
from tilework.core.solver.kernels.pdb.flood import flood_level, start_flood
from tilework.core.solver.kernels.pdb.flood_ranked import flood_ranked_level
from tilework.core.solver.pdb.ranks import index_of, order_ranks, orders
from tilework.core.solver.pdb.set_moves import set_moves

Entries = NDArray[np.uint8]
Words = NDArray[np.uint64]

MOST_MOVES = UNREACHED - 1
"""The largest distance that an entry can hold."""

_WORD_BITS = 64

_PARTS = 16
"""Of a level, for each thread: some parts of it have more placements than others."""


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
    entries : uint8 array, shape (cells ** tiles,), changed in place
        All `UNREACHED` at first; those of two tiles in one cell stay so. The cell of tile i is
        the index's digit i in base ``cells``. If ranked, shape (cells! / (cells - tiles)!,) with
        the index of `tilework.core.solver.pdb.ranks`.
    size : Size
        At most 36 cells.
    goal_cells : int64 array, shape (tiles,)
    goal_blank : int
        The blank's cell in the goal.
    placed : callable
        Called after each level with how many more placements have their distance.
    ranked : bool
        Which index the entries have; at most 8 tiles on at most 16 cells then.
    threads : int
        On which ranked placements are flooded.

    Raises
    ------
    OptionError
        Where a distance is more than an entry can hold; the entries are unusable then.

    Notes
    -----
    Beside the entries this takes two to eight times their memory: a set of cells for each.
    """
    weights = size.cells ** np.arange(goal_cells.size, dtype=np.int64)
    index = index_of(goal_cells.tolist(), size.cells) if ranked else int(weights @ goal_cells)
    seen = np.zeros(entries.size, dtype=_set_of(size.cells))
    marked = np.zeros(-(-entries.size // _WORD_BITS), dtype=np.uint64)
    marked_next = np.zeros_like(marked)
    start_flood(entries, seen, marked, index, goal_cells, goal_blank, *size)
    states = placements = 1
    moved = 0
    while states:
        placed(placements)
        moved += 1
        if ranked:
            flood = entries, seen, marked, marked_next, moved
            states, placements = _ranked_level(flood, size, goal_cells.size, threads)
        else:
            states, placements = flood_level(
                entries, seen, marked, marked_next, moved, weights, *size
            )
        if placements and moved > MOST_MOVES:
            raise OptionError(
                "pattern-range",
                "a placement of a pattern of {tiles} on a board of {size} is {moves} from its "
                "goal; entries of pattern databases go up to {most}",
                tiles=tiles_of(goal_cells.size),
                size=size,
                moves=moves_of(moved),
                most=MOST_MOVES,
            )
        marked, marked_next = marked_next, marked


def _ranked_level(
    flood: tuple[Entries, NDArray[np.uint16], Words, Words, int],
    size: Size,
    tiles: int,
    threads: int,
) -> tuple[int, int]:
    """Make every move of a level, on some threads; see `flood_ranked_level`."""
    form = (orders(tiles), *order_ranks(tiles)), tuple(set_moves(size, tiles))
    edges = np.linspace(0, flood[2].size, threads * _PARTS + 1).astype(np.int64).tolist()
    with ThreadPoolExecutor(threads) as pool:
        done = pool.map(lambda part: flood_ranked_level(*flood, *form, *part), pairwise(edges))
        states, placements = (sum(counts) for counts in zip(*done, strict=True))
    return states, placements


def _set_of(cells: int) -> type[np.unsignedinteger]:
    """Return the smallest dtype with a bit for each cell: the builder's memory is mostly this."""
    return np.uint16 if cells <= 16 else np.uint32 if cells <= 32 else np.uint64
