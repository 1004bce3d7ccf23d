"""Move pruning: rules that keep a depth-first search from reaching a board by many paths.

A word of moves is forbidden if a smaller word (a shorter one, or one of the same length that
precedes it in lexicographic order of move codes) leads to the same board. The smallest of the
shortest paths to a goal contains no forbidden word, so a search finds the optimal length no matter
which forbidden words it prunes, and slices with different rules can be combined.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.compiling import loading
from tilework.core.machine import user_databases
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import move_tables
from tilework.core.solver.kernels.move_words import FORBIDDEN, extend_words, refine_classes
from tilework.core.solver.pdb.files import write_atomically

Words = NDArray[np.int64]
Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False, slots=True)
class PruningRules:
    """An automaton that reads the moves of a path and determines which ones may follow.

    A state is represented by its number times 16, plus bit m for each move m that is legal, does
    not undo the last move, and ends no forbidden word.
    """

    length: int  # of the longest forbidden words
    roots: Words  # the state before the first move, by the blank's cell
    transitions: Numbers  # the next state by a state's number and move; 0 if it is not allowed


@lru_cache(maxsize=16)
def pruning_rules(size: Size, length: int) -> PruningRules:
    """Return the rules for boards of one size.

    Parameters
    ----------
    size : Size; from 1 to 36 cells. Words are compared by their effect on a whole board, for each
        cell of the blank, so their number grows with that of the cells.
    length : int; of the longest words to compare, whose number grows exponentially with it; 2 only
        forbids undoing a move

    Notes
    -----
    L. Taylor and R. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993. Their rules
    ignore the edges of the board. Comparing words for each cell of the blank forbids more words.
    The automaton is then minimized.
    """
    next_states = _make_automaton(size, length)
    allowed_moves = ((next_states != FORBIDDEN) @ _MOVE_BITS).astype(np.uint8)
    classes = allowed_moves.astype(np.int64)
    class_count = np.unique(classes).size
    new_classes = np.empty_like(classes)
    slots = np.empty(1 << (2 * classes.size).bit_length(), dtype=np.int64)
    while (new_count := refine_classes(next_states, classes, new_classes, slots)) != class_count:
        classes, new_classes, class_count = new_classes, classes, new_count
    _, first_states = np.unique(new_classes, return_index=True)
    states = new_classes << 4 | allowed_moves
    transitions = np.where(next_states == FORBIDDEN, 0, states[next_states])[first_states]
    return PruningRules(length, states[: size.cells].copy(), transitions.astype(np.int32))


_MOVE_BITS = np.array([1, 2, 4, 8])
_SEED = 1


def _make_automaton(size: Size, length: int) -> Numbers:
    """Return the next state by state and move; the first states are those of the blank's cells.

    A state is a prefix of a forbidden word whose own subwords are allowed: the longest suffix of a
    path that is such a prefix determines the allowed moves (A. Aho and M. Corasick, "Efficient
    string matching: an aid to bibliographic search", CACM 18, 1975).
    """
    words = _find_words(size, length)
    count = int(words.starts[length - 1, size.cells])
    suffixes, next_words = words.suffixes, words.next_words[:count]
    is_forbidden = next_words == FORBIDDEN
    ends_forbidden = (is_forbidden & ~is_forbidden[suffixes[:count]]).any(axis=1)
    is_state = np.append(np.ones(size.cells, dtype=bool), ends_forbidden[size.cells :])
    for first, *_, last in words.starts[length - 1 : 0 : -1]:
        prefixes = words.parents[first:last][is_state[first:last]]
        is_state[prefixes] = True
    # A word that is not a state is replaced by its longest suffix that is one.
    states = np.cumsum(is_state, dtype=np.int32) - 1
    for first, *_, last in words.starts[1:length]:
        replaced = first + np.flatnonzero(~is_state[first:last])
        states[replaced] = states[suffixes[replaced]]
    next_words = next_words[is_state]
    # The longest words are replaced by their suffixes, too.
    next_words = np.where(next_words >= count, suffixes[next_words], next_words)
    return np.where(next_words == FORBIDDEN, FORBIDDEN, states[next_words])


class _WordTree(NamedTuple):
    """All words without an equivalent smaller word; see `extend_words`."""

    starts: Words
    parents: Numbers
    suffixes: Numbers
    next_words: Numbers


def _find_words(size: Size, length: int) -> _WordTree:
    steps, legal = move_tables(size)
    cells = size.cells
    keys = np.random.default_rng(_SEED).integers(1 << 62, size=(cells, cells))
    starts = np.zeros((length + 1, cells + 1), dtype=np.int64)
    starts[0] = np.arange(cells + 1)
    columns = [
        np.arange(cells, dtype=np.uint8),
        np.full(cells, np.bitwise_xor.reduce(np.diagonal(keys))),
        np.zeros(cells, dtype=np.int32),
        np.zeros(cells, dtype=np.int32),
        np.full((cells, 4), FORBIDDEN, dtype=np.int32),
    ]
    for number in range(1, length + 1):
        by_cell = np.diff(starts[:number])
        new_words = 4 * by_cell[-1]
        room = int(new_words.sum())
        slots = np.empty(
            1 << int(2 * (by_cell.sum(axis=0) + new_words).max()).bit_length(), dtype=np.int64
        )
        columns = [_enlarge(column, room) for column in columns]
        count = extend_words(steps, legal, keys, number, starts, slots, *columns)
        columns = [column[:count] for column in columns]
    *_, parents, suffixes, next_words = columns
    return _WordTree(starts, parents, suffixes, next_words)


def _enlarge(column: NDArray[Any], rows: int) -> NDArray[Any]:
    enlarged = np.empty((len(column) + rows, *column.shape[1:]), dtype=column.dtype)
    enlarged[: len(column)] = column
    return enlarged


_VERSION = 1
_DIGEST_BYTES = 16
_MIN_LENGTH = 14  # shorter rules are built in less time than a file takes to find and read


@lru_cache(maxsize=16)
@loading
def load_rules(size: Size, length: int, folder: Path | None = None) -> PruningRules:
    """Load the rules for boards of one size, or build them and store them if they are long."""
    if length < _MIN_LENGTH:
        return pruning_rules(size, length)
    path = (folder or user_databases()) / f"{size.width}x{size.height}-r{length}-{_VERSION}.rules"
    if (rules := _load(path, length)) is None:
        rules = pruning_rules(size, length)
        # Without a file, the next process builds them again.
        with suppress(OSError):
            _store(rules, path)
    return rules


def _load(path: Path, length: int) -> PruningRules | None:
    """Load rules; return None if the file is missing or does not match the hash at its start."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, arrays = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if _digest(arrays) != digest:
        return None
    with np.load(BytesIO(arrays)) as stored:
        return PruningRules(length, stored["roots"], stored["transitions"])


def _store(rules: PruningRules, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = BytesIO()
    np.savez(file, roots=rules.roots, transitions=rules.transitions)
    arrays = file.getvalue()
    write_atomically(path, _digest(arrays) + arrays)


def _digest(arrays: bytes) -> bytes:
    return hashlib.blake2b(arrays, digest_size=_DIGEST_BYTES).digest()
