"""From subtree to subtree: what the depth-first kernels that search them in an order share.

First the top of the tree is searched node by node down to a depth, and each subtree that hangs
from it is written down: those whose root is at that depth, and those whose root is over the
threshold by now. Later thresholds leave the top out and begin with the subtrees.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import inlined_part, part
from tilework.core.solver.kernels.constants import (
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    INDEX,
    LOWEST_MOVE,
    OUT_OF_BUDGET,
)

# Columns of a table of subtrees, int64, one row a subtree.
PATH = 0
"""The moves to where the subtree leaves the top, two bits each, the first in the lowest."""
MADE = 1
"""How many they are."""
MOVES = 2
"""The set of moves that lead on from there into the subtree."""
STATE = 3
"""State of the move-pruning rules there."""
NODES = 4
"""Nodes generated in it under this threshold."""
COLUMNS = 5

# Places in the int64 array that says how far such a search is.
CUT = 0
"""Depth of the top; 0 once all of it is searched."""
AT = 1
"""Depth at which the search of the top goes on."""
KNOWN = 2
"""Subtrees written down."""
ORDERED = 3
"""Subtrees in the order."""
NEXT = 4
"""Place in the order of the subtree that is searched."""
UNDER_WAY = 5
"""Whether the path is in that subtree already."""
PLACES = 6


@part
def aim(subtrees, order, place, budget, path, untried, states, report):
    """Lay out the next call of a kernel; return its budget, or -1 where nothing is left."""
    if place[CUT] > 0:
        depth = place[AT]
        while depth >= 0 and untried[depth] == 0:
            depth -= 1
        if depth >= 0:
            place[AT] = depth
            report[DEPTH] = depth
            return min(budget, 1)
        place[CUT] = 0
    if place[NEXT] == place[ORDERED]:
        return -1
    if place[UNDER_WAY] == 0 and budget > 0:
        place[UNDER_WAY] = 1
        row = order[place[NEXT]]
        made = subtrees[row, MADE]
        moves = subtrees[row, PATH]
        for depth in range(made):
            path[depth] = moves & 3
            moves >>= 2
            untried[depth] = 0
        untried[made] = subtrees[row, MOVES]
        states[made] = subtrees[row, STATE]
        report[DEPTH] = made
    return budget


@part
def choose(place, untried):
    """Return the move that a call aimed at the top will make."""
    return LOWEST_MOVE[INDEX(untried[place[AT]])] if place[CUT] > 0 else 0


@part
def note(subtrees, order, place, status, move, path, untried, states, report):
    """Record the result of a call that `aim` laid out and that found no goal."""
    if place[CUT] == 0:
        subtrees[order[place[NEXT]], NODES] += report[GENERATED]
        if status == EXHAUSTED:
            place[NEXT] += 1
            place[UNDER_WAY] = 0
        return
    made = place[AT]
    moves = 1 << move
    inside = report[EXPANDED] > 0
    if inside:
        made += 1
        if made < place[CUT]:
            place[AT] = made
            return
        moves = np.int64(untried[made])
        untried[made] = 0
        if moves == 0:
            return
    row = place[KNOWN]
    place[KNOWN] += 1
    word = 0
    for depth in range(made):
        word |= np.int64(path[depth]) << 2 * depth
    subtrees[row, PATH] = word
    subtrees[row, MADE] = made
    subtrees[row, MOVES] = moves
    subtrees[row, STATE] = states[made]
    subtrees[row, NODES] = 0
    if inside:
        order[place[ORDERED]] = row
        place[ORDERED] += 1


@inlined_part
def in_order(
    search, tables, threshold, budget, path, untried, states, report, subtrees, order, place
):
    """Search subtrees in an order for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    search : kernel
        Searches what a cursor covers.
    tables : tuple
        Its arguments up to the threshold, which stay from subtree to subtree.
    threshold, budget, path, untried, states, report
        As in `tilework.core.solver.kernels.depth_first.patterns.search_patterns`.
    subtrees : int64 array, shape (rows, COLUMNS), changed in place
    order : int64 array, shape (rows,), changed in place
        Rows of subtrees in the order in which they are to be searched.
    place : int64 array, shape (PLACES,), changed in place

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    generated = 0
    expanded = 0
    status = EXHAUSTED
    while True:
        left = aim(subtrees, order, place, budget - generated, path, untried, states, report)
        if left <= 0:
            status = OUT_OF_BUDGET if left == 0 else EXHAUSTED
            break
        move = choose(place, untried)
        status = search(*tables, threshold, left, path, untried, states, report)
        generated += report[GENERATED]
        expanded += report[EXPANDED]
        if status == FOUND:
            break
        note(subtrees, order, place, status, move, path, untried, states, report)
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    return status
