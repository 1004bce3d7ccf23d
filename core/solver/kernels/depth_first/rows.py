"""A node of a depth-first search as a row of words.

Sums and place come first; then what the estimate keeps of a board; then the board, as many bits a
cell as its tiles need; and last the moves that were made, two bits each. Where board and moves
begin, and where a cell lies, `tilework.core.solver.optimal.engines` says.
"""

import numpy as np

from tilework.core.compiling import inlined_subroutine, inner_loop_subroutine, types
from tilework.core.solver.kernels.constants import BYTES, NO_F, OPEN_WORDS, STEPS, WORDS

ROWS = types.Array(types.uint64, 2, "C")
# What kernels take after the tables of their estimate: rows and rules, then a search or a path
_RULES = BYTES, BYTES, types.uint64, types.int64, WORDS, STEPS, BYTES
_LIMITS = types.int64, types.int64, types.int64
SEARCHED = (*_RULES, *_LIMITS, ROWS, ROWS, OPEN_WORDS, OPEN_WORDS, OPEN_WORDS)
REPLAYED = (*_RULES, WORDS, BYTES, ROWS, OPEN_WORDS)

WORD = np.uint64
ONE = np.uint64(1)
LOW_HALF = np.uint64(0xFFFFFFFF)
BYTE = np.uint64(0xFF)

# Columns.
SUMS = 0  # two parts of the estimate, the first in the lower half
PLACE = 1  # depth, blank, moves not yet tried, state of the rules and subtree; see below
STATE_WORDS = 2  # the first word of the heuristic's state

# By field of the place, its first bit.
BLANK_BIT = 10
UNTRIED_BIT = 16
STATE_BIT = 20
SUBTREE_BIT = 44
MOST_DEPTH = (1 << BLANK_BIT) - 1  # moves of the longest path that a place can tell
MOVES_A_WORD = 32

# Columns of a child under way; an estimate keeps what it likes in the last ones.
PARENT, MOVE, TILE, SOURCE, BLANK, FIRST, SECOND, THIRD, FOURTH, CHILD_COLUMNS = range(10)

_DEPTH_MASK = np.uint64(MOST_DEPTH)
_BLANK_MASK = np.uint64((1 << UNTRIED_BIT - BLANK_BIT) - 1)
_UNTRIED_MASK = np.uint64((1 << STATE_BIT - UNTRIED_BIT) - 1)
_STATE_MASK = np.uint64((1 << SUBTREE_BIT - STATE_BIT) - 1)


@inner_loop_subroutine
def depth_of(place):
    return place & _DEPTH_MASK


@inner_loop_subroutine
def blank_of(place):
    return (place >> WORD(BLANK_BIT)) & _BLANK_MASK


@inner_loop_subroutine
def untried_of(place):
    """The set of moves not yet tried there."""
    return (place >> WORD(UNTRIED_BIT)) & _UNTRIED_MASK


@inner_loop_subroutine
def with_untried(place, untried):
    """A place with another set of moves not yet tried."""
    return place & ~(_UNTRIED_MASK << WORD(UNTRIED_BIT)) | untried << WORD(UNTRIED_BIT)


@inner_loop_subroutine
def state_of(place):
    return (place >> WORD(STATE_BIT)) & _STATE_MASK


@inner_loop_subroutine
def subtree_of(place):
    """The number of the subtree that it belongs to."""
    return place >> WORD(SUBTREE_BIT)


@inner_loop_subroutine
def placed(depth, blank, untried, state, subtree):
    return (
        depth
        | blank << WORD(BLANK_BIT)
        | untried << WORD(UNTRIED_BIT)
        | state << WORD(STATE_BIT)
        | subtree << WORD(SUBTREE_BIT)
    )


@inner_loop_subroutine
def tile_at(rows, row, cell, columns, shifts, mask):
    """The tile on a cell of the board in a row; what lay on the blank's cell before, for its."""
    return (rows[row, WORD(columns[cell])] >> WORD(shifts[cell])) & mask


@inner_loop_subroutine
def slide(rows, row, tile, source, blank, columns, shifts):
    """Slide a tile from its cell to the blank's, in the board of a row."""
    rows[row, WORD(columns[source])] ^= tile << WORD(shifts[source])
    rows[row, WORD(columns[blank])] ^= tile << WORD(shifts[blank])


@inlined_subroutine
def replay_path(
    propose, narrow, weigh, keep, tables,
    columns, shifts, mask, path_at, ways, following, allowed, roots, path, rows, estimates,
):  # fmt: skip
    """Take the node in the first row along a path; it comes to stand at the path's end.

    Parameters
    ----------
    propose, narrow, weigh, keep, tables, columns, shifts, mask, path_at, ways, following, allowed
        As of `tilework.core.solver.kernels.depth_first.search.search_stack`.
    roots : int64[cells]; state of the rules before the first move, by the blank's cell. Where the
        path makes a move that they forbid, they start again after it.
    rows : uint64[2, columns], changed in place; the second one is scratch
    estimates : int64[path.size], filled; by move, the estimate of the board that it leads to

    Returns
    -------
    int; moves made: fewer than there are if the next one is illegal
    """
    child = np.empty((1, CHILD_COLUMNS), dtype=np.uint64)
    none = WORD(0)
    for made in range(path.size):
        move = WORD(path[made])
        place = rows[none, PLACE]
        blank = blank_of(place)
        if move > WORD(3) or not (np.int64(allowed[roots[blank]]) >> np.int64(move)) & 1:
            return made
        for column in range(rows.shape[1]):
            rows[ONE, column] = rows[none, column]
        source = WORD(np.int64(blank) + ways[move])
        child[none, PARENT] = ONE
        child[none, MOVE] = move
        child[none, TILE] = tile_at(rows, ONE, source, columns, shifts, mask)
        child[none, SOURCE] = source
        child[none, BLANK] = blank
        propose(tables, rows, ONE, child, none)
        narrow(tables, rows, ONE, child, none, none, NO_F)
        estimate, found = weigh(tables, rows, ONE, child, none)
        slide(rows, none, child[none, TILE], source, blank, columns, shifts)
        keep(tables, rows, ONE, child, none, found, rows, none)
        if (np.int64(allowed[state_of(place)]) >> np.int64(move)) & 1:
            state = WORD(following[state_of(place), move])
        else:
            state = WORD(roots[source])
        depth = depth_of(place)
        at = WORD(path_at) + depth // WORD(MOVES_A_WORD)
        rows[none, at] |= move << (WORD(2) * (depth % WORD(MOVES_A_WORD)))
        rows[none, PLACE] = placed(
            depth + ONE, source, WORD(allowed[state]), state, subtree_of(place)
        )
        estimates[made] = estimate
    return path.size
