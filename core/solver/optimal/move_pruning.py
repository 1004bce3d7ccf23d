"""Move pruning: rules that prevent a depth-first search from reaching a board by many paths.

A word of moves is forbidden if a smaller word (a shorter one, or one of the same length that
precedes it in lexicographic order of move codes) leads to the same board. The smallest of the
shortest paths to a goal contains no forbidden word, so a search finds the optimal length, whichever
forbidden words it prunes: slices with different rules can be combined.
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
    size : Size; from 1 to 36 cells. Words are compared by their effect on a whole board, for each
        cell of the blank, so time and memory grow with the cube of the number of cells.
    length : int; of the longest words to compare; 2 only forbids undoing a move

    Notes
    -----
    L. Taylor and R. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993. Their rules
    ignore the edges of the board. Comparing words for each cell of the blank forbids more words.
    The automaton is then minimized.
    """
    following, cells = _word_automaton(size, length), size.cells
    classes = (following != FORBIDDEN) @ np.array([1, 2, 4, 8])
    class_count = np.unique(classes).size
    refined = np.empty_like(classes)
    slots = np.empty(1 << (2 * classes.size).bit_length(), dtype=np.int64)
    while (refined_count := refine(following, classes, refined, slots)) != class_count:
        classes, refined, class_count = refined, classes, refined_count
    _, firsts = np.unique(refined, return_index=True)
    after = following[firsts]
    return PruningRules(
        length,
        refined[:cells].copy(),
        np.where(after == FORBIDDEN, 0, refined[after]).astype(np.int32),
        ((after != FORBIDDEN) @ np.array([1, 2, 4, 8])).astype(np.uint8),
    )


def _word_automaton(size: Size, length: int) -> Words:
    """Return the next word by word and move; a word is the end of the path so far."""
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
    # The longest words are not states; they are replaced by their tails without the first move.
    return np.where(shorter >= first, tails[shorter], shorter)
