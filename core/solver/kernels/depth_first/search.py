"""Depth-first search with a threshold on f, many nodes at a time, for any heuristic.

A search that looks up entries of a large table one after another waits for memory each time. Here a
stack contains complete nodes, so no move has to be undone. The top nodes are expanded as a batch:
the entries of all their children are prefetched before any of them is read, so that the waits
overlap. The search visits the same nodes as one that expands them one by one, in a different order.

Four subroutines implement a heuristic, and are compiled into its kernel:

``request``      prefetches a child's first entry
``first_bound``  returns a first lower bound of a child; if it does not prune the child, prefetches
                 what the complete estimate needs
``evaluate``     returns the complete estimate, and a word for ``store``
``store``        writes the state of the heuristic to a row
"""

import numpy as np

from tilework.core.compiling import float64, inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    LOWEST_MOVE,
    NEXT_THRESHOLD,
    NO_F,
    OUT_OF_BUDGET,
    SUBTREE_COUNT,
    TOP,
    WRITABLE_WORDS,
)
from tilework.core.solver.kernels.depth_first.rows import (
    ALL_MOVES,
    BLANK,
    FIELDS,
    MOVE,
    MOVES_PER_WORD,
    ONE,
    PARENT,
    ROWS,
    SOURCE,
    TILE,
    WORD,
    get_blank,
    get_depth,
    get_state,
    get_subtree,
    get_tile,
    get_untried,
    pack_fields,
    set_untried,
    slide,
)
from tilework.core.solver.kernels.instructions import prefetch


@kernel(types.void(WRITABLE_WORDS, WRITABLE_WORDS, types.Array(float64, 1, "C")))
def rate_subtrees(nodes, previous_nodes, promise):
    """Rate subtrees by how promising they are: nodes times the square root of their growth.

    Parameters
    ----------
    nodes : int64[subtrees]; nodes generated for the last threshold
    previous_nodes : int64[subtrees], changed in place
        Nodes generated for the threshold before that, -1 if there was none; set to `nodes`.
    """
    for subtree in range(nodes.size):
        base = nodes[subtree] if previous_nodes[subtree] < 0 else previous_nodes[subtree]
        # The growth is unknown if the root was above the previous threshold.
        growth = nodes[subtree] / max(base, 1)
        promise[subtree] = nodes[subtree] * np.sqrt(growth)
        previous_nodes[subtree] = nodes[subtree]


@kernel(types.void(types.int64, WRITABLE_WORDS, ROWS, ROWS, WRITABLE_WORDS, WRITABLE_WORDS))
def stack_roots(threshold, order, rows, roots, estimates, report):
    """Push the roots within a threshold, the first one on top; ``estimates`` are their f."""
    top = 0
    next_threshold = NO_F
    for index in range(order.size - 1, -1, -1):
        subtree = order[index]
        if estimates[subtree] > threshold:
            next_threshold = min(next_threshold, estimates[subtree])
            continue
        for column in range(rows.shape[1]):
            rows[top, column] = roots[subtree, column]
        top += 1
    report[TOP] = top
    report[NEXT_THRESHOLD] = next_threshold


# Nodes expanded together: with four, the waits hardly overlap; more than 32 overflow the caches
BATCH = 16


@inner_loop_subroutine
def search_stack(
    request, first_bound, evaluate, store, tables,
    columns, shifts, mask, path_column, move_steps, transitions,
    threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child, width,
):  # fmt: skip
    """Search the nodes on a stack for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    request, first_bound, evaluate, store, tables; the heuristic
    columns, shifts : uint8[cells]; by cell, its column in a row and its lowest bit there
    mask : int; all bits of a tile
    path_column : int; the first column of the moves
    move_steps : int64[4]; change of the blank's cell by each move code
    transitions : int32[states, 4]; see `tilework.core.solver.optimal.move_pruning`
    threshold, budget : int; largest f to search; maximum number of nodes to generate
    cut_depth : int; if not 0, nodes at this depth become roots of subtrees, whatever their f, and
        no node above them is pruned
    stack : uint64[rows, columns], changed in place
        Nodes with untried moves; it has room for the paths of a batch's nodes and their siblings.
    estimates : int64[subtrees], changed in place; f of each root
    nodes : int64[subtrees], changed in place; nodes generated in each subtree
    report : int64[REPORT_LENGTH], changed in place; see `tilework.core.solver.kernels.constants`.
        If a path is found, its node is the row at `TOP`.
    child : uint64[4 * BATCH, CHILD_COLUMNS]; scratch
    width : int; columns of a row; if constant, rows are copied without a loop

    Returns
    -------
    int; `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`
    """
    # Nothing is pruned above the cut depth.
    limit = threshold if cut_depth == 0 else NO_F
    next_threshold = report[NEXT_THRESHOLD]
    top = WORD(report[TOP])
    root_count = WORD(report[SUBTREE_COUNT])
    generated = 0
    expanded = 0
    status = EXHAUSTED
    while top > WORD(0):
        if generated >= budget:
            status = OUT_OF_BUDGET
            break
        room = budget - generated
        # A node has at most three children, except for the root of a tree, which is alone.
        count = min(WORD(BATCH), top, WORD(max(1, room // 3)))
        top -= count
        children = WORD(0)
        for number in range(count):
            parent = WORD(number)
            for column in range(width):
                batch[parent, column] = stack[top + parent, column]
            fields = batch[parent, FIELDS]
            blank = get_blank(fields)
            prefetch(transitions, WORD(4) * get_state(fields))
            remaining_moves = np.int64(get_untried(fields))
            first_child = children
            while remaining_moves != 0 and np.int64(children) < room:
                move = WORD(LOWEST_MOVE[WORD(remaining_moves)])
                remaining_moves &= remaining_moves - 1
                source = WORD(np.int64(blank) + move_steps[move])
                child[children, PARENT] = parent
                child[children, MOVE] = move
                child[children, TILE] = get_tile(batch, parent, source, columns, shifts, mask)
                child[children, SOURCE] = source
                child[children, BLANK] = blank
                request(tables, batch, parent, child, children)
                children += ONE
            nodes[get_subtree(fields)] += np.int64(children - first_child)
            if remaining_moves != 0:
                # The last node within the budget keeps its untried moves.
                stack[top, FIELDS] = set_untried(fields, WORD(remaining_moves))
                top += ONE
        generated += np.int64(children)
        child_row = WORD(0)
        for number in range(children):
            i = WORD(number)
            parent = child[i, PARENT]
            depth = np.int64(get_depth(batch[parent, FIELDS])) + 1
            estimate = first_bound(tables, batch, parent, child, i, child_row, limit - depth)
            if depth + estimate > limit:
                next_threshold = min(next_threshold, depth + estimate)
                continue
            for column in range(5):
                child[child_row, column] = child[i, column]
            child_row += ONE
        for number in range(child_row):
            i = WORD(number)
            parent = child[i, PARENT]
            fields = batch[parent, FIELDS]
            depth = np.int64(get_depth(fields)) + 1
            estimate, sums = evaluate(tables, batch, parent, child, i)
            if depth + estimate > limit:
                next_threshold = min(next_threshold, depth + estimate)
                continue
            expanded += 1
            move = child[i, MOVE]
            rules = WORD(transitions[get_state(fields), move])
            if rules & ALL_MOVES == WORD(0) and estimate != 0:
                continue
            source = child[i, SOURCE]
            for column in range(width):
                stack[top, column] = batch[parent, column]
            slide(stack, top, child[i, TILE], source, child[i, BLANK], columns, shifts)
            store(tables, batch, parent, child, i, sums, stack, top)
            subtree = root_count if depth == cut_depth else get_subtree(fields)
            stack[top, FIELDS] = pack_fields(WORD(depth), source, rules, subtree)
            index = WORD(depth - 1)
            word = WORD(path_column) + index // WORD(MOVES_PER_WORD)
            stack[top, word] |= move << (WORD(2) * (index % WORD(MOVES_PER_WORD)))
            if estimate == 0:
                status = FOUND
                break
            if depth == cut_depth:
                for column in range(width):
                    roots[root_count, column] = stack[top, column]
                estimates[root_count] = depth + estimate
                root_count += ONE
            else:
                top += ONE
        if status == FOUND:
            break
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[NEXT_THRESHOLD] = next_threshold
    report[TOP] = np.int64(top)
    report[SUBTREE_COUNT] = np.int64(root_count)
    return status
