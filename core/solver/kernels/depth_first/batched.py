"""Depth-first search under a threshold on f, many nodes at a time, with ranked pattern databases.

One node after the other, a search waits for memory: each entry lies in another line of a table of
half a gigabyte. Here a stack holds whole nodes, so that nothing is undone. Its highest nodes are
taken off together, the entries of all their children are asked for, and read once all have been
asked for: they arrive side by side. Below the top of the tree, the nodes under a threshold are
those of a search one by one; only their order is another.

A node is a row of words: its board, four bits a cell; the word of each pattern, as in `ranked`; the
sums of both views; depth, blank, state of the rules and subtree; and the moves made, two bits each.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tilework.core.compiling import kernel, part
from tilework.core.solver.kernels.array_types import (
    BYTES,
    OPEN_WORDS,
    RANK_TABLES,
    RANKS,
    STEPS,
    TABLE,
    WORDS,
)
from tilework.core.solver.kernels.bits import count_bits
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    LOWEST_MOVE,
    MOST_BATCHED_MOVES,
    NEXT_THRESHOLD,
    OUT_OF_BUDGET,
)
from tilework.core.solver.kernels.prefetching import prefetch

BATCH = 16
"""Nodes expanded together. Four are too few to wait side by side; more than 32 fill the caches."""

# Columns of a node; the words of the patterns come last, as many as there are.
BOARD = 0
SUMS = 1
"""The first view's in the lower half."""
PLACE = 2
"""In bits 0 to 7 the depth, 8 to 15 the blank, 16 to 47 the rules' state, 48 to 63 the subtree."""
PATH = 3
WORD = 6

# Columns of a child under way.
_PARENT, _MOVE, _TILE, _INDEX, _FIRST_WORD, _SECOND_WORD, _FIRST_SUM, _CHILD_COLUMNS = range(8)

ROOM = 4 * MOST_BATCHED_MOVES
"""Rows kept free for a search one by one, which goes on where a batch might not find room."""

TOP = 4
"""Place in the report: rows of the stack in use."""
KNOWN = 5
"""Place in the report: subtrees that hang from the top of the tree."""
BATCH_REPORT_LENGTH = 6

_WORD = np.uint64
_LOW = np.uint64(0xFFFF)
_BYTE = np.uint64(0xFF)
_ONE = np.uint64(1)
_FOUR = np.uint64(4)


@part
def _slid(word, source, target):
    """As `ranked._slid`, in unsigned words."""
    mask = (word >> _WORD(8)) & _LOW
    order = word >> _WORD(24)
    low = min(source, target)
    distance = max(source, target) - low
    if distance > _ONE:
        passed = count_bits((mask >> (low + _ONE)) & ((_ONE << (distance - _ONE)) - _ONE))
        if passed > _WORD(0):
            place = _FOUR * count_bits(mask & ((_ONE << low) - _ONE))
            those = (_ONE << (_FOUR * passed + _FOUR)) - _ONE
            before = (order >> place) & those
            if source < target:
                after = before >> _FOUR | (before & _WORD(15)) << (_FOUR * passed)
            else:
                after = (before << _FOUR) & those | before >> (_FOUR * passed)
            order ^= (before ^ after) << place
    mask ^= _ONE << source | _ONE << target
    return order << _WORD(24) | mask << _WORD(8)


@part
def _index(word, slot, offsets, sets, lows, highs, set_ranks):
    """The index of a word's entry."""
    order = word >> _WORD(24)
    rank = _WORD(lows[slot, order & _LOW]) + _WORD(highs[slot, order >> _WORD(16)])
    within = _WORD(set_ranks[(word >> _WORD(8)) & _LOW])
    return _WORD(offsets[slot]) + rank * _WORD(sets[slot]) + within


@part
def _source(place, move, ways):
    """The cell that a move's tile leaves, and the blank's."""
    blank = (place >> _WORD(8)) & _BYTE
    return _WORD(np.int64(blank) + ways[move]), blank


@kernel(
    types.int64(
        BYTES, WORDS, STEPS, BYTES, TABLE, TABLE,
        WORDS, WORDS, RANK_TABLES, RANK_TABLES, RANKS,
        types.int64, types.int64, types.int64,
        types.Array(types.uint64, 2, "C"), types.Array(types.uint64, 2, "C"),
        OPEN_WORDS, OPEN_WORDS, OPEN_WORDS,
    )
)  # fmt: skip
def search_batches(
    entries, ways, following, allowed, slots, seen_at,
    offsets, sets, lows, highs, set_ranks,
    threshold, budget, cut, stack, roots, estimates, nodes, report,
):  # fmt: skip
    """Search what lies on a stack for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    ways, following, allowed, slots, seen_at, offsets, sets, lows, highs, set_ranks, entries
        As in `tilework.core.solver.kernels.depth_first.ranked.search_ranked`.
    threshold, budget : int
        Largest f to follow; nodes to generate before stopping.
    cut : int
        Where it is not 0, nodes of that depth become roots of subtrees, numbered from 0, whatever
        their f is; nothing is cut above.
    stack : uint64 array, shape (rows, columns), changed in place
        Nodes not yet expanded; rows above `ROOM` and three for each node of a batch.
    roots : uint64 array, shape (subtrees, columns), changed in place
    estimates : int64 array, shape (subtrees,), changed in place
        f of each root.
    nodes : int64 array, shape (subtrees,), changed in place
        Nodes generated in each subtree.
    report : int64 array, shape (BATCH_REPORT_LENGTH,), changed in place
        Where a path is found, its node is the one at `TOP`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    columns = stack.shape[1]
    taken = np.empty((BATCH, columns), dtype=np.uint64)
    child = np.empty((4 * BATCH, _CHILD_COLUMNS), dtype=np.uint64)
    limit = _WORD(threshold)
    next_threshold = _WORD(report[NEXT_THRESHOLD])
    top = _WORD(report[TOP])
    known = _WORD(report[KNOWN])
    generated = 0
    expanded = 0
    status = EXHAUSTED
    while top > _WORD(0):
        if generated >= budget:
            status = OUT_OF_BUDGET
            break
        count = min(_WORD(BATCH), top, _WORD(max(1, (budget - generated) // 3)))
        if top + _WORD(3 * BATCH + ROOM) > _WORD(stack.shape[0]):
            count = _ONE
        top -= count
        children = _WORD(0)
        for number in range(count):
            parent = _WORD(number)
            for column in range(columns):
                taken[parent, column] = stack[top + parent, column]
            place = taken[parent, PLACE]
            left = np.int64(allowed[(place >> _WORD(16)) & _WORD(0xFFFFFFFF)])
            while left != 0:
                move = _WORD(LOWEST_MOVE[_WORD(left)])
                left &= left - 1
                source, blank = _source(place, move, ways)
                tile = (taken[parent, BOARD] >> (_FOUR * source)) & _WORD(15)
                slot = _WORD(slots[0, tile])
                word = _slid(
                    taken[parent, _WORD(WORD) + slot],
                    _WORD(seen_at[0, source]), _WORD(seen_at[0, blank]),
                )  # fmt: skip
                index = _index(word, slot, offsets, sets, lows, highs, set_ranks)
                prefetch(entries, index)
                child[children, _PARENT] = parent
                child[children, _MOVE] = move
                child[children, _TILE] = tile
                child[children, _INDEX] = index
                child[children, _FIRST_WORD] = word
                children += _ONE
                nodes[place >> _WORD(48)] += 1
        generated += np.int64(children)
        kept = _WORD(0)
        for number in range(children):
            one = _WORD(number)
            parent = child[one, _PARENT]
            place = taken[parent, PLACE]
            tile = child[one, _TILE]
            slot = _WORD(slots[0, tile])
            entry = _WORD(entries[child[one, _INDEX]])
            first = taken[parent, SUMS] & _LOW
            first = first - (taken[parent, _WORD(WORD) + slot] & _BYTE) + entry
            f = (place & _BYTE) + _ONE + first
            if f > limit and cut == 0:
                next_threshold = min(next_threshold, f)
                continue
            move = child[one, _MOVE]
            source, blank = _source(place, move, ways)
            slot = _WORD(slots[1, tile])
            word = _slid(
                taken[parent, _WORD(WORD) + slot],
                _WORD(seen_at[1, source]), _WORD(seen_at[1, blank]),
            )  # fmt: skip
            index = _index(word, slot, offsets, sets, lows, highs, set_ranks)
            prefetch(entries, index)
            child[kept, _FIRST_WORD] = child[one, _FIRST_WORD] | entry
            child[kept, _PARENT] = parent
            child[kept, _MOVE] = move
            child[kept, _TILE] = tile
            child[kept, _INDEX] = index
            child[kept, _SECOND_WORD] = word
            child[kept, _FIRST_SUM] = first
            kept += _ONE
        for number in range(kept):
            one = _WORD(number)
            parent = child[one, _PARENT]
            place = taken[parent, PLACE]
            depth = (place & _BYTE) + _ONE
            tile = child[one, _TILE]
            slot = _WORD(slots[1, tile])
            entry = _WORD(entries[child[one, _INDEX]])
            second = taken[parent, SUMS] >> _WORD(32)
            second = second - (taken[parent, _WORD(WORD) + slot] & _BYTE) + entry
            if depth + second > limit and cut == 0:
                next_threshold = min(next_threshold, depth + second)
                continue
            expanded += 1
            move = child[one, _MOVE]
            source, blank = _source(place, move, ways)
            first = child[one, _FIRST_SUM]
            for column in range(columns):
                stack[top, column] = taken[parent, column]
            stack[top, BOARD] ^= tile << (_FOUR * source) | tile << (_FOUR * blank)
            stack[top, _WORD(WORD) + _WORD(slots[0, tile])] = child[one, _FIRST_WORD]
            stack[top, _WORD(WORD) + slot] = child[one, _SECOND_WORD] | entry
            stack[top, SUMS] = first | second << _WORD(32)
            state = _WORD(following[(place >> _WORD(16)) & _WORD(0xFFFFFFFF), move])
            subtree = known if depth == _WORD(cut) else place >> _WORD(48)
            stack[top, PLACE] = (
                depth | source << _WORD(8) | state << _WORD(16) | subtree << _WORD(48)
            )
            made = depth - _ONE
            stack[top, _WORD(PATH) + (made >> _WORD(5))] |= move << (_WORD(2) * (made & _WORD(31)))
            if first == _WORD(0):
                status = FOUND
                break
            if depth == _WORD(cut):
                for column in range(columns):
                    roots[known, column] = stack[top, column]
                estimates[known] = np.int64(depth + max(first, second))
                known += _ONE
            else:
                top += _ONE
        if status == FOUND:
            break
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[NEXT_THRESHOLD] = np.int64(next_threshold)
    report[TOP] = np.int64(top)
    report[KNOWN] = np.int64(known)
    return status
