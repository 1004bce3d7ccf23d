"""A node of a depth-first search as a row of words.

The sums and some packed fields come first, then the state of the heuristic, then the board, with as
many bits per cell as its tiles need, and finally the moves made, two bits each.
`tilework.core.solver.optimal.engines.Layout` defines the columns of the board and the moves.
"""

import numpy as np

from tilework.core.compiling import inlined_subroutine, inner_loop_subroutine, types
from tilework.core.solver.kernels.constants import BYTES, NO_F, STEPS, WORDS, WRITABLE_WORDS

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
