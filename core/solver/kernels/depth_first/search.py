"""Depth-first search under a threshold on f, many nodes at a time: the one skeleton.

A search that looks up one entry of a large table after the other waits for memory each time. Here
a stack holds whole nodes, so that nothing is undone. Its highest nodes are taken off together, the
entries of all their children are asked for, and read once all have been asked for: they arrive
side by side. The nodes under a threshold are those of a search one by one; only their order is
another.

What differs between estimates are four parts, which are compiled into the kernel of each:

``propose``  works out where a child's first entry lies, and asks for it
``narrow``   gives a first lower bound of a child; where that is low enough, it works out what its
             whole estimate needs, and asks for it
``weigh``    gives its whole estimate, and a word for ``keep``
``keep``     writes what the estimate keeps of a board into a row
"""

import numpy as np

from tilework.core.compiling import float64, inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    KNOWN,
    LOWEST_MOVE,
    NEXT_THRESHOLD,
    NO_F,
    OPEN_WORDS,
    OUT_OF_BUDGET,
    TOP,
)
from tilework.core.solver.kernels.depth_first.rows import (
    BLANK,
    MOVE,
    MOVES_A_WORD,
    ONE,
    PARENT,
    PLACE,
    ROWS,
    SOURCE,
    TILE,
    WORD,
    blank_of,
    depth_of,
    placed,
    slide,
    state_of,
    subtree_of,
    tile_at,
    untried_of,
    with_untried,
)
from tilework.core.solver.kernels.instructions import prefetch


@kernel(types.void(OPEN_WORDS, OPEN_WORDS, types.Array(float64, 1, "C")))
def rate_subtrees(nodes, before, promise):
    """Rate the promise of subtrees: their nodes times the square root of their growth.

    Parameters
    ----------
    nodes : int64 array, shape (subtrees,); by subtree, nodes under the last threshold
    before : int64 array, shape (subtrees,), changed in place
        The same under the one before it, -1 where there was none; those of `nodes` from now on.
    """
    for subtree in range(nodes.size):
        known = nodes[subtree] if before[subtree] < 0 else before[subtree]
        # A subtree whose root was over the threshold before the last has no known growth.
        growth = nodes[subtree] / max(known, 1)
        promise[subtree] = nodes[subtree] * np.sqrt(growth)
        before[subtree] = nodes[subtree]


@kernel(types.void(types.int64, OPEN_WORDS, ROWS, ROWS, OPEN_WORDS, OPEN_WORDS))
def stack_roots(threshold, order, rows, roots, estimates, report):
    """Stack the roots within a threshold, the first in the order on top.

    Parameters
    ----------
    estimates : int64 array, shape (subtrees,); f of each root
    """
    top = 0
    least = NO_F
    for place in range(order.size - 1, -1, -1):
        subtree = order[place]
        if estimates[subtree] > threshold:
            least = min(least, estimates[subtree])
            continue
        for column in range(rows.shape[1]):
            rows[top, column] = roots[subtree, column]
        top += 1
    report[TOP] = top
    report[NEXT_THRESHOLD] = least


# Nodes expanded together. Four are too few to wait side by side; more than 32 fill the caches.
BATCH = 16


@inner_loop_subroutine
def search_stack(
    propose, narrow, weigh, keep, tables,
    columns, shifts, mask, path_at, ways, following, allowed,
    threshold, budget, cut, stack, roots, estimates, nodes, report, taken, child, width,
):  # fmt: skip
    """Search what lies on a stack for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    tables : tuple; what these need
    columns, shifts : uint8[cells]
        By cell, the column of a row that it lies in, and its lowest bit there.
    mask : int; all bits of a tile
    path_at : int; the column in which the moves begin
    ways : int64[4]; how the blank's cell changes by each move code
    following : int32[states, 4]
        By state of the rules (`tilework.core.solver.optimal.move_pruning`) and move the next state.
    allowed : uint8[states]
        By state the set of moves that the rules let come next (bit m for move m).
    threshold, budget : int; largest f to follow; nodes to generate at most
    cut : int; where it is not 0, nodes of that depth become roots of subtrees, numbered from 0,
        whatever their f is; nothing is cut above
    stack : uint64[rows, columns], changed in place
        Nodes with moves untried; rows for the path of each node of a batch, and their siblings.
    estimates : int64[subtrees], changed in place; f of each root
    nodes : int64[subtrees], changed in place; nodes generated in each subtree
    report : int64[REPORT_LENGTH], changed in place; see `tilework.core.solver.kernels.constants`.
        Where a path is found, its node is the row at `TOP`.
    child : uint64[4 * BATCH, CHILD_COLUMNS]; scratch
    width : int; columns of a row. Rows are copied without a loop where the compiler knows it.

    Returns
    -------
    int; `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`
    """
    # Above a cut nothing is over the threshold.
    limit = threshold if cut == 0 else NO_F
    next_threshold = report[NEXT_THRESHOLD]
    top = WORD(report[TOP])
    known = WORD(report[KNOWN])
    generated = 0
    expanded = 0
    status = EXHAUSTED
    while top > WORD(0):
        if generated >= budget:
            status = OUT_OF_BUDGET
            break
        room = budget - generated
        # A node has three children at most, but for the root of a tree, which is there alone.
        count = min(WORD(BATCH), top, WORD(max(1, room // 3)))
        top -= count
        children = WORD(0)
        for number in range(count):
            parent = WORD(number)
            for column in range(width):
                taken[parent, column] = stack[top + parent, column]
            place = taken[parent, PLACE]
            blank = blank_of(place)
            prefetch(following, WORD(4) * state_of(place))
            left = np.int64(untried_of(place))
            before = children
            while left != 0 and np.int64(children) < room:
                move = WORD(LOWEST_MOVE[WORD(left)])
                left &= left - 1
                source = WORD(np.int64(blank) + ways[move])
                child[children, PARENT] = parent
                child[children, MOVE] = move
                child[children, TILE] = tile_at(taken, parent, source, columns, shifts, mask)
                child[children, SOURCE] = source
                child[children, BLANK] = blank
                propose(tables, taken, parent, child, children)
                children += ONE
            nodes[subtree_of(place)] += np.int64(children - before)
            if left != 0:
                # The last node before the budget ends keeps what it has not tried.
                stack[top, PLACE] = with_untried(place, WORD(left))
                top += ONE
        generated += np.int64(children)
        kept = WORD(0)
        for number in range(children):
            one = WORD(number)
            parent = child[one, PARENT]
            depth = np.int64(depth_of(taken[parent, PLACE])) + 1
            estimate = narrow(tables, taken, parent, child, one, kept, limit - depth)
            if depth + estimate > limit:
                next_threshold = min(next_threshold, depth + estimate)
                continue
            for column in range(5):
                child[kept, column] = child[one, column]
            kept += ONE
        for number in range(kept):
            one = WORD(number)
            parent = child[one, PARENT]
            place = taken[parent, PLACE]
            depth = np.int64(depth_of(place)) + 1
            estimate, found = weigh(tables, taken, parent, child, one)
            if depth + estimate > limit:
                next_threshold = min(next_threshold, depth + estimate)
                continue
            expanded += 1
            move = child[one, MOVE]
            state = WORD(following[state_of(place), move])
            untried = WORD(allowed[state])
            if untried == WORD(0) and estimate != 0:
                continue
            source = child[one, SOURCE]
            for column in range(width):
                stack[top, column] = taken[parent, column]
            slide(stack, top, child[one, TILE], source, child[one, BLANK], columns, shifts)
            keep(tables, taken, parent, child, one, found, stack, top)
            subtree = known if depth == cut else subtree_of(place)
            stack[top, PLACE] = placed(WORD(depth), source, untried, state, subtree)
            made = WORD(depth - 1)
            at = WORD(path_at) + made // WORD(MOVES_A_WORD)
            stack[top, at] |= move << (WORD(2) * (made % WORD(MOVES_A_WORD)))
            if estimate == 0:
                status = FOUND
                break
            if depth == cut:
                for column in range(width):
                    roots[known, column] = stack[top, column]
                estimates[known] = depth + estimate
                known += ONE
            else:
                top += ONE
        if status == FOUND:
            break
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[NEXT_THRESHOLD] = next_threshold
    report[TOP] = np.int64(top)
    report[KNOWN] = np.int64(known)
    return status
