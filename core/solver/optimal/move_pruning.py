"""Move pruning: rules that keep a depth-first search from reaching a board by many paths.

A word of moves is forbidden if a smaller word (a shorter one, or one of the same length that
precedes it in lexicographic order of move codes) leads to the same board. The smallest of the
shortest paths to a goal contains no forbidden word, so a search finds the optimal length no matter
which forbidden words it prunes, and slices with different rules can be combined.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import move_tables
from tilework.core.solver.kernels.move_words import FORBIDDEN, extend_words, refine_classes

Words = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PruningRules:
    """An automaton that reads the moves of a path and determines which ones may follow."""

    length: int  # of the longest forbidden words
    roots: Words  # state before the first move, by the blank's cell
    next_states: NDArray[np.int32]  # by state and move; 0 if the move is not allowed
    # By state, bit m for move m: it is legal, does not undo the last move, ends no forbidden word
    allowed_moves: NDArray[np.uint8]


@lru_cache(maxsize=16)
def pruning_rules(size: Size, length: int) -> PruningRules:
    """Return the rules for boards of one size.

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
    next_words, cells = _make_word_automaton(size, length), size.cells
    classes = (next_words != FORBIDDEN) @ np.array([1, 2, 4, 8])
    class_count = np.unique(classes).size
    new_classes = np.empty_like(classes)
    slots = np.empty(1 << (2 * classes.size).bit_length(), dtype=np.int64)
    while (new_count := refine_classes(next_words, classes, new_classes, slots)) != class_count:
        classes, new_classes, class_count = new_classes, classes, new_count
    _, first_states = np.unique(new_classes, return_index=True)
    next_states = next_words[first_states]
    return PruningRules(
        length,
        new_classes[:cells].copy(),
        np.where(next_states == FORBIDDEN, 0, new_classes[next_states]).astype(np.int32),
        ((next_states != FORBIDDEN) @ np.array([1, 2, 4, 8])).astype(np.uint8),
    )


def _make_word_automaton(size: Size, length: int) -> Words:
    """Return the next word by word and move; a word consists of the last moves of a path."""
    steps, legal = move_tables(size)
    first, count = 0, size.cells
    boards = np.tile(np.arange(count, dtype=np.uint8), (count, 1))
    starts, blanks = np.arange(count), np.arange(count)
    hashes = starts * 0x9E3779B1 & 0x7FFFFFFF
    last_moves, suffixes = np.full(count, -1), np.full(count, -1)
    next_words = np.full((count, 4), FORBIDDEN)
    for _ in range(length):
        room = count + 4 * (count - first)
        columns = [
            np.concatenate(
                [column[:count], np.zeros((room - count, *column.shape[1:]), column.dtype)]
            )
            for column in (boards, hashes, starts, blanks, last_moves, suffixes, next_words)
        ]
        first, count = count, extend_words(steps, legal, first, count, *columns)
        boards, hashes, starts, blanks, last_moves, suffixes, next_words = columns
    shorter_words = next_words[:first]
    # The longest words are not states: they are replaced by their suffixes, without the first move.
    return np.where(shorter_words >= first, suffixes[shorter_words], shorter_words)
