"""Kernels for move pruning, which find words of moves that have an equivalent smaller word."""

import numpy as np

from tilework.core.compiling import kernel, subroutine, types
from tilework.core.solver.kernels.constants import (
    BYTES,
    TABLE,
    WORDS,
    WRITABLE_TABLE,
    WRITABLE_WORDS,
)

# Replaces the longer word if the move is illegal or a smaller word leads to the same board
FORBIDDEN = -1

EMPTY = -1

_WRITABLE_GRID = types.Array(types.uint8, 2, "C")


@subroutine
def _hash_number(number):
    # Below 2^31, so that nothing overflows.
    number = ((number + 1) * 1664525 + 1013904223) & 0x7FFFFFFF
    return ((number ^ (number >> 15)) * 22695477) & 0x7FFFFFFF


@subroutine
def _have_same_effect(boards, starts, first, second):
    if starts[first] != starts[second]:
        return False
    for cell in range(boards.shape[1]):
        if boards[first, cell] != boards[second, cell]:
            return False
    return True


@kernel(
    types.int64(
        WORDS, BYTES, types.int64, types.int64,
        _WRITABLE_GRID, WRITABLE_WORDS, WRITABLE_WORDS, WRITABLE_WORDS, WRITABLE_WORDS,
        WRITABLE_WORDS, WRITABLE_TABLE,
    )
)  # fmt: skip
def extend_words(
    move_steps, legal, first, count, boards, hashes, starts, blanks, last_moves, suffixes,
    next_words,
):  # fmt: skip
    """Extend the words of one length by each move; keep those without an equivalent smaller word.

    Parameters
    ----------
    move_steps : int64[4]; change of the blank's cell by each move code
    legal : uint8[cells]; legal moves by the blank's cell (bit m for move m)
    first, count : int; the first word to extend, and the number of words before the call
    boards : uint8[room, cells], changed in place
        The effect of each word on a board with a different tile on each cell.
    hashes : int64[room], changed in place; a hash of each word's board and start
    starts, blanks, last_moves, suffixes : int64[room], changed in place
        By word: the blank's first cell, its last cell, the last move (-1 for the empty word), and
        the word without the first move (for a single move, the empty word of the next cell).
    next_words : int64[room, 4], changed in place; the longer word by word and move, or `FORBIDDEN`

    Returns
    -------
    int; number of words after the call
    """
    size = 1
    while size < 2 * starts.size:
        size *= 2
    mask, cells = size - 1, boards.shape[1]
    slots = np.full(size, EMPTY, dtype=np.int64)
    for word in range(count):
        slot = hashes[word] & mask
        while slots[slot] != EMPTY:
            slot = (slot + 1) & mask
        slots[slot] = word
    end = count
    for word in range(first, end):
        for move in range(4):
            next_words[word, move] = FORBIDDEN
            if not (legal[blanks[word]] >> move) & 1 or last_moves[word] == move ^ 1:
                continue
            blank = blanks[word] + move_steps[move]
            suffix = blank if last_moves[word] < 0 else next_words[suffixes[word], move]
            if suffix == FORBIDDEN:
                continue
            for cell in range(cells):
                boards[count, cell] = boards[word, cell]
            blank_label, tile = np.int64(boards[word, blanks[word]]), np.int64(boards[word, blank])
            boards[count, blanks[word]] = tile
            boards[count, blank] = blank_label
            starts[count] = starts[word]
            hashes[count] = (
                hashes[word]
                ^ _hash_number(blanks[word] * cells + blank_label)
                ^ _hash_number(blanks[word] * cells + tile)
                ^ _hash_number(blank * cells + tile)
                ^ _hash_number(blank * cells + blank_label)
            )
            slot = hashes[count] & mask
            while slots[slot] != EMPTY and not (
                hashes[slots[slot]] == hashes[count]
                and _have_same_effect(boards, starts, slots[slot], count)
            ):
                slot = (slot + 1) & mask
            if slots[slot] != EMPTY:
                continue
            slots[slot] = count
            blanks[count] = blank
            last_moves[count] = move
            suffixes[count] = suffix
            next_words[word, move] = count
            count += 1
    return count


@kernel(types.int64(TABLE, WORDS, WRITABLE_WORDS, WRITABLE_WORDS))
def refine_classes(next_states, classes, new_classes, slots):
    """Split the classes of an automaton's states by the classes of the next states.

    Parameters
    ----------
    next_states : int64[states, 4]; the next state by state and move, or `FORBIDDEN`
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
