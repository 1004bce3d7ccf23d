"""Kernels for move pruning, which find words of moves that have an equivalent smaller word."""

import numpy as np

from tilework.core.compiling import int32, kernel, subroutine, types
from tilework.core.solver.kernels.constants import (
    BYTES,
    INDEX,
    TABLE,
    WORDS,
    WRITABLE_BYTES,
    WRITABLE_TABLE,
    WRITABLE_WORDS,
)

# Replaces the longer word if the move is illegal or a smaller word leads to the same board
FORBIDDEN = -1

EMPTY = -1

_NUMBERS = types.Array(int32, 1, "C")
_NUMBER_ROWS = types.Array(int32, 2, "C")


@subroutine
def _reset(board, path, cell):
    """Start with the empty word of a cell, on a board with each cell's own number as its label."""
    for label in range(board.size):
        board[INDEX(label)] = label
    path[:] = EMPTY
    path[0] = cell


@subroutine
def _go_to(word, length, parents, blanks, board, path):
    """Change a board from the last word of some length to another one.

    ``path`` contains the prefixes of the word by length, or `EMPTY`.
    """
    prefix = word
    shared = length
    while path[INDEX(shared)] != prefix:
        prefix = parents[INDEX(prefix)]
        shared -= 1
    if path[INDEX(length)] != EMPTY:
        for index in range(length, shared, -1):
            _swap(board, blanks[path[INDEX(index)]], blanks[path[INDEX(index - 1)]])
    for index in range(length, shared, -1):
        path[INDEX(index)] = word
        word = parents[INDEX(word)]
    for index in range(shared, length):
        _swap(board, blanks[path[INDEX(index)]], blanks[path[INDEX(index + 1)]])


@subroutine
def _swap(board, first, second):
    label = board[INDEX(first)]
    board[INDEX(first)] = board[INDEX(second)]
    board[INDEX(second)] = label


@subroutine
def _insert(slots, key, word):
    mask = slots.size - 1
    slot = key & mask
    while slots[INDEX(slot)] != EMPTY:
        slot = (slot + 1) & mask
    slots[INDEX(slot)] = word


@kernel(
    types.int64(
        WORDS, BYTES, TABLE, types.int64, WRITABLE_TABLE, WRITABLE_WORDS,
        WRITABLE_BYTES, WRITABLE_WORDS, _NUMBERS, _NUMBERS, _NUMBER_ROWS,
    )
)  # fmt: skip
def extend_words(
    move_steps, legal, keys, length, starts, slots, blanks, hashes, parents, suffixes, next_words
):  # fmt: skip
    """Find the words of one length that have no equivalent smaller word.

    Parameters
    ----------
    move_steps : int64[4]; change of the blank's cell by each move code
    legal : uint8[cells]; legal moves by the blank's cell (bit m for move m)
    keys : int64[cells, cells]; random numbers by cell and label; a hash combines them by exclusive
        or
    length : int; at least 1
    starts : int64[length + 1, cells + 1], last row filled
        The number of the first word of a length with the blank on a cell. The last column is the
        number of words up to that length.
    slots : int64 array; scratch
        Its length is a power of two above the number of words with the blank on one cell.
    blanks : uint8[room], changed in place; the blank's last cell by word
    hashes : int64[room], changed in place
        By word, a hash of its effect on a board with each cell's own number as its label.
    parents, suffixes : int32[room], changed in place
        By word, the words without the last and without the first move. The suffix of a single move
        is the empty word of the next cell.
    next_words : int32[room, 4], changed in place; the longer word by word and move, or `FORBIDDEN`

    Returns
    -------
    int; number of words up to this length
    """
    cells = starts.shape[1] - 1
    mask = slots.size - 1
    board, other_board = np.empty((2, cells), dtype=np.int64)
    path, other_path = np.empty((2, length + 1), dtype=np.int64)
    count = starts[length - 1, cells]
    for cell in range(cells):
        starts[length, cell] = count
        slots[:] = EMPTY
        # Equivalent words have the same parity.
        for earlier in range(length % 2, length, 2):
            for word in range(starts[earlier, cell], starts[earlier, cell + 1]):
                _insert(slots, hashes[INDEX(word)], word)
        _reset(board, path, cell)
        for word in range(starts[length - 1, cell], starts[length - 1, cell + 1]):
            _go_to(word, length - 1, parents, blanks, board, path)
            blank = np.int64(blanks[INDEX(word)])
            for move in range(4):
                next_words[INDEX(word), move] = FORBIDDEN
                if not (legal[blank] >> move) & 1:
                    continue
                source = blank + move_steps[move]
                suffix = source if length == 1 else next_words[suffixes[INDEX(word)], move]
                if suffix == FORBIDDEN:
                    continue
                tile = board[source]
                key = hashes[INDEX(word)] ^ keys[blank, cell] ^ keys[blank, tile]
                key ^= keys[source, tile] ^ keys[source, cell]
                slot = key & mask
                is_new = True
                while is_new and slots[INDEX(slot)] != EMPTY:
                    existing = slots[INDEX(slot)]
                    if hashes[INDEX(existing)] == key:
                        existing_length = length
                        while existing < starts[existing_length, 0]:
                            existing_length -= 2
                        _reset(other_board, other_path, cell)
                        _go_to(existing, existing_length, parents, blanks, other_board, other_path)
                        _swap(board, blank, source)
                        is_new = not np.array_equal(board, other_board)
                        _swap(board, blank, source)
                    slot = (slot + 1) & mask
                if not is_new:
                    continue
                slots[INDEX(slot)] = count
                blanks[INDEX(count)] = source
                hashes[INDEX(count)] = key
                parents[INDEX(count)] = word
                suffixes[INDEX(count)] = suffix
                next_words[INDEX(word), move] = count
                count += 1
    starts[length, cells] = count
    return count


@kernel(types.int64(_NUMBER_ROWS, WORDS, WRITABLE_WORDS, WRITABLE_WORDS))
def refine_classes(next_states, classes, new_classes, slots):
    """Split the classes of an automaton's states by the classes of the next states.

    Parameters
    ----------
    next_states : int32[states, 4]; the next state by state and move, or `FORBIDDEN`
    new_classes : int64[states], changed in place; new classes in the order of their first states
    slots : int64 array; scratch; its length is a power of two above twice the number of states

    Returns
    -------
    int; number of new classes
    """
    mask = slots.size - 1
    for slot in range(slots.size):
        slots[slot] = EMPTY
    class_count = 0
    for state in range(classes.size):
        mixed = classes[state] + 1
        for move in range(4):
            next_state = next_states[state, move]
            next_class = classes[next_state] + 1 if next_state != FORBIDDEN else 0
            mixed = ((mixed ^ next_class) * 1664525 + 1013904223) & 0x7FFFFFFF
        slot = (mixed ^ (mixed >> 15)) & mask
        while slots[slot] != EMPTY:
            existing = slots[slot]
            is_equal = classes[existing] == classes[state]
            for move in range(4):
                first = next_states[existing, move]
                second = next_states[state, move]
                if first == FORBIDDEN or second == FORBIDDEN:
                    is_equal &= first == second
                else:
                    is_equal &= classes[first] == classes[second]
            if is_equal:
                break
            slot = (slot + 1) & mask
        if slots[slot] == EMPTY:
            slots[slot] = state
            new_classes[state] = class_count
            class_count += 1
        else:
            new_classes[state] = new_classes[slots[slot]]
    return class_count
