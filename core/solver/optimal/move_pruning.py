"""Move pruning: rules that keep a depth-first search from reaching a board by many paths.

A word of moves is forbidden if a smaller word (a shorter one, or one of the same length that comes
first in the order of move codes) leads to the same board. The smallest of the shortest paths to a
goal contains no forbidden word, so a search finds its length, whichever forbidden words it prunes:
slices with and without rules can be combined.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import move_tables
from tilework.core.solver.kernels.move_words import FORBIDDEN, extend, refine

Words = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PruningRules:
    """An automaton that reads the moves of a path and allows the next ones."""

    length: int  # of the longest forbidden words
    roots: Words  # state before the first move, by the blank's cell
    following: NDArray[np.int32]  # next state by state and move; 0 if the move is not allowed
    # By state, bit m for move m: legal, does not undo the last move, ends no forbidden word
    allowed: NDArray[np.uint8]


@lru_cache(maxsize=16)
def pruning_rules(size: Size, length: int) -> PruningRules:
    """Return the rules for boards of a size.

    Parameters
    ----------
    size : Size; from 1 to 36 cells: words are compared by their effect on a whole board, from each
        of its cells, so time and memory grow with the cube of the cells
    length : int; of the longest words that are compared; 2 only forbids undoing a move

    Notes
    -----
    L. Taylor and R. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993. Their rules
    ignore the edges of the board. Comparing words from each cell of the board forbids more words;
    the automaton is then minimized.
    """
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
    """Return the following word by word and move; a word is the end of the path so far."""
    steps, legal = move_tables(size)
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
        first, count = count, extend(steps, legal, first, count, *columns)
        boards, hashes, starts, blanks, lasts, tails, following = columns
    shorter = following[:first]
    # The longest words are not states: without their first move they are the next shorter ones.
    return np.where(shorter >= first, tails[shorter], shorter)
