"""Depth-first search with a threshold on f, many nodes at a time, for any heuristic.

A search that looks up entries of a large table one after another waits for memory each time. Here a
stack contains complete nodes, so no move has to be undone. The top nodes are expanded as a batch:
the entries of all their children are prefetched before any of them is read, so that the waits
overlap. The search visits the same nodes as one that expands them one by one, in a different order.

A node is a row of words. The sums and some packed fields come first, then the state of the
heuristic, then the board, with as many bits per cell as its tiles need, and finally the moves made,
two bits each. `tilework.core.solver.optimal.engines.Layout` defines the columns of the board and
the moves.

Four subroutines implement a heuristic, and are compiled into its kernel:

``request``      prefetches a child's first entry
``first_bound``  returns a first lower bound of a child; if it does not prune the child, prefetches
                 what the complete estimate needs
``evaluate``     returns the complete estimate, and a word for ``store``
``store``        writes the state of the heuristic to a row
"""

import numpy as np

from tilework.core.compiling import (
    float64,
    inlined_subroutine,
    inner_loop_subroutine,
    kernel,
    types,
)
from tilework.core.solver.kernels.constants import (
    BYTES,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    LOWEST_MOVE,
    NEXT_THRESHOLD,
    NO_F,
    OUT_OF_BUDGET,
    STEPS,
    SUBTREE_COUNT,
    TOP,
    WORDS,
    WRITABLE_WORDS,
)
from tilework.core.solver.kernels.instructions import prefetch

ROWS = types.Array(types.uint64, 2, "C")
# Arguments of kernels after the tables of the heuristic: layout and rules, then limits or a path
_RULES = BYTES, BYTES, types.uint64, types.int64, WORDS, STEPS
_LIMITS = types.int64, types.int64, types.int64
SEARCH_ARGUMENTS = (*_RULES, *_LIMITS, ROWS, ROWS, WRITABLE_WORDS, WRITABLE_WORDS, WRITABLE_WORDS)
REPLAY_ARGUMENTS = (*_RULES, WORDS, BYTES, ROWS, WRITABLE_WORDS)

WORD = np.uint64
ONE = np.uint64(1)
LOW_HALF = np.uint64(0xFFFFFFFF)
ALL_MOVES = np.uint64(15)
BYTE = np.uint64(0xFF)

# Columns.
SUMS = 0  # two parts of the estimate, the first in the lower half
FIELDS = 1  # depth, blank, untried moves, state of the rules, and subtree
STATE_WORDS = 2  # the first word of the heuristic's state

# First bit of each field, except for the first field, which starts at bit 0.
BLANK_BIT = 10
UNTRIED_BIT = 16
STATE_BIT = 20
SUBTREE_BIT = 44
MAX_DEPTH = (1 << BLANK_BIT) - 1  # moves of the longest path
MOVES_PER_WORD = 32

# Columns of a generated child; the last ones are for the heuristic.
PARENT, MOVE, TILE, SOURCE, BLANK, FIRST, SECOND, THIRD, FOURTH, CHILD_COLUMNS = range(10)

_DEPTH_MASK = np.uint64(MAX_DEPTH)
_BLANK_MASK = np.uint64((1 << UNTRIED_BIT - BLANK_BIT) - 1)
_UNTRIED_MASK = np.uint64((1 << STATE_BIT - UNTRIED_BIT) - 1)
_STATE_MASK = np.uint64((1 << SUBTREE_BIT - STATE_BIT) - 1)


@inner_loop_subroutine
def get_depth(fields):
    return fields & _DEPTH_MASK


@inner_loop_subroutine
def get_blank(fields):
    return (fields >> WORD(BLANK_BIT)) & _BLANK_MASK


@inner_loop_subroutine
def get_untried(fields):
    return (fields >> WORD(UNTRIED_BIT)) & _UNTRIED_MASK


@inner_loop_subroutine
def set_untried(fields, untried):
    return fields & ~(_UNTRIED_MASK << WORD(UNTRIED_BIT)) | untried << WORD(UNTRIED_BIT)


@inner_loop_subroutine
def get_state(fields):
    return (fields >> WORD(STATE_BIT)) & _STATE_MASK


@inner_loop_subroutine
def get_subtree(fields):
    return fields >> WORD(SUBTREE_BIT)


@inner_loop_subroutine
def pack_fields(depth, blank, rules, subtree):
    """Return the fields of a row; ``rules`` are a state of the rules and its allowed moves."""
    return (
        depth | blank << WORD(BLANK_BIT) | rules << WORD(UNTRIED_BIT) | subtree << WORD(SUBTREE_BIT)
    )


@inner_loop_subroutine
def get_tile(rows, row, cell, columns, shifts, mask):
    """Return the tile on a cell of the board in a row; undefined for the blank's cell."""
    return (rows[row, WORD(columns[cell])] >> WORD(shifts[cell])) & mask


@inner_loop_subroutine
def slide(rows, row, tile, source, blank, columns, shifts):
    """Move a tile from its cell to the blank's in the board of a row."""
    rows[row, WORD(columns[source])] ^= tile << WORD(shifts[source])
    rows[row, WORD(columns[blank])] ^= tile << WORD(shifts[blank])


@inlined_subroutine
def replay_path(
    request, first_bound, evaluate, store, tables,
    columns, shifts, mask, path_column, move_steps, transitions,
    roots, path, rows, estimates,
):  # fmt: skip
    """Move the node in the first row along a path.

    Parameters
    ----------
    request, first_bound, evaluate, store, tables, columns, shifts, mask, path_column, move_steps,
    transitions
        See `tilework.core.solver.kernels.depth_first.search.search_stack`.
    roots : int64[cells]; see `tilework.core.solver.optimal.move_pruning`. The rules restart after a
        forbidden move.
    rows : uint64[2, columns], changed in place
        The untried moves of the first one are those that its state allows. The second is scratch.
    estimates : int64[path.size], filled; estimates of the boards after each move

    Returns
    -------
    int; number of legal moves made
    """
    child = np.empty((1, CHILD_COLUMNS), dtype=np.uint64)
    zero = WORD(0)
    for count in range(path.size):
        move = WORD(path[count])
        fields = rows[zero, FIELDS]
        blank = get_blank(fields)
        root = WORD(roots[blank])
        if move > WORD(3) or not (root >> move) & ONE:
            return count
        for column in range(rows.shape[1]):
            rows[ONE, column] = rows[zero, column]
        source = WORD(np.int64(blank) + move_steps[move])
        child[zero, PARENT] = ONE
        child[zero, MOVE] = move
        child[zero, TILE] = get_tile(rows, ONE, source, columns, shifts, mask)
        child[zero, SOURCE] = source
        child[zero, BLANK] = blank
        request(tables, rows, ONE, child, zero)
        first_bound(tables, rows, ONE, child, zero, zero, NO_F)
        estimate, sums = evaluate(tables, rows, ONE, child, zero)
        slide(rows, zero, child[zero, TILE], source, blank, columns, shifts)
        store(tables, rows, ONE, child, zero, sums, rows, zero)
        if (get_untried(fields) >> move) & ONE:
            rules = WORD(transitions[get_state(fields), move])
        else:
            rules = WORD(roots[source])
        depth = get_depth(fields)
        word = WORD(path_column) + depth // WORD(MOVES_PER_WORD)
        rows[zero, word] |= move << (WORD(2) * (depth % WORD(MOVES_PER_WORD)))
        rows[zero, FIELDS] = pack_fields(depth + ONE, source, rules, get_subtree(fields))
        estimates[count] = estimate
    return path.size


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
