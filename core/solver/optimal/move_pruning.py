"""Move pruning: rules that keep a depth-first search from reaching a board by many paths.

A word of moves is forbidden where a smaller word (a shorter one, or one of the same length that
comes first in the order of move codes) leads to the same board. Of the shortest paths to a goal
the smallest has no forbidden word in it, so no search under a threshold misses its length,
whichever of the forbidden words it prunes: slices with and without rules may be mixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import move_tables
from tilework.core.solver.kernels.constants import MAX_CELLS
from tilework.core.solver.kernels.move_words import FORBIDDEN, extend, refine

Words = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PruningRules:
    """An automaton that reads the moves of a path and says which may come next."""

    length: int  # moves of the longest words that it forbids
    roots: Words  # state before the first move, by the blank's cell
    # By state and move the next state; 0 where the move is not allowed
    following: NDArray[np.int32]
    # Bit m is set where move m is legal, does not undo the last one and ends no forbidden word
    allowed: NDArray[np.uint8]


@lru_cache(maxsize=16)
def pruning_rules(size: Size, length: int) -> PruningRules:
    """Make the rules for a size of board.

    Parameters
    ----------
    size : Size; from 1 to 36 cells: words are told apart by what they make of a whole board, from
        each of its cells, so that time and memory grow with the cube of the cells
    length : int; moves of the longest words that are compared; 2 forbids undoing a move and no more

    Notes
    -----
    L. Taylor and R. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993. Theirs ignore
    the edges of the board. Here words are compared from each cell of the board, which finds more to
    forbid, and the automaton is then made as small as can be.
    """
    if size.cells > MAX_CELLS:
        raise OptionError(
            "pruning-cells",
            "move pruning is limited to {most} cells; a board of {size} has {cells}",
            most=MAX_CELLS,
            size=size,
            cells=size.cells,
        )
    following, cells = _words(size, length), size.cells
    classes = (following != FORBIDDEN) @ np.array([1, 2, 4, 8])
    found = np.unique(classes).size
    finer = np.empty_like(classes)
    slots = np.empty(1 << (2 * classes.size).bit_length(), dtype=np.int64)
    while (finest := refine(following, classes, finer, slots)) != found:
        classes, finer, found = finer, classes, finest
    _, firsts = np.unique(finer, return_index=True)
    after = following[firsts]
    return PruningRules(
        length,
        finer[:cells].copy(),
        np.where(after == FORBIDDEN, 0, finer[after]).astype(np.int32),
        ((after != FORBIDDEN) @ np.array([1, 2, 4, 8])).astype(np.uint8),
    )


def _words(size: Size, length: int) -> Words:
    """Return by word and move the word that follows: as a state, the end of the path so far."""
    ways, legal = move_tables(size)
    first, count = 0, size.cells
    boards = np.tile(np.arange(count, dtype=np.uint8), (count, 1))
    starts, blanks = np.arange(count), np.arange(count)
    hashes = starts * 0x9E3779B1 & 0x7FFFFFFF
    lasts, tails = np.full(count, -1), np.full(count, -1)
    following = np.full((count, 4), FORBIDDEN)
    for _ in range(length):
        room = count + 4 * (count - first)
        columns = [
            np.concatenate(
                [column[:count], np.zeros((room - count, *column.shape[1:]), column.dtype)]
            )
            for column in (boards, hashes, starts, blanks, lasts, tails, following)
        ]
        first, count = count, extend(ways, legal, first, count, *columns)
        boards, hashes, starts, blanks, lasts, tails, following = columns
    shorter = following[:first]
    # The longest words are no states of their own: of them only what follows the first move counts.
    return np.where(shorter >= first, tails[shorter], shorter)
