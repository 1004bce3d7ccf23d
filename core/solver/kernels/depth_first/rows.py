"""A node of a depth-first search as a row of words.

Sums and place come first; then what the estimate keeps of a board; then the board, as many bits a
cell as its tiles need; and last the moves that were made, two bits each. Where board and moves
begin, and where a cell lies, `tilework.core.solver.optimal.layout` says.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import types, woven_part

ROWS = types.Array(types.uint64, 2, "C")

WORD = np.uint64
ONE = np.uint64(1)
LOW_HALF = np.uint64(0xFFFFFFFF)
BYTE = np.uint64(0xFF)

# Columns.
SUMS = 0
"""Two parts of the estimate, the first in the lower half."""
PLACE = 1
"""Depth, blank, moves not yet tried, state of the rules and subtree; see below."""
KEPT = 2
"""Where the words begin that an estimate keeps."""

# By field of the place, its first bit.
BLANK_BIT = 10
UNTRIED_BIT = 16
STATE_BIT = 20
SUBTREE_BIT = 44

MOST_DEPTH = (1 << BLANK_BIT) - 1
"""Moves of the longest path that a place can tell."""

MOVES_A_WORD = 32

# Columns of a child under way; an estimate keeps what it likes in the last ones.
PARENT, MOVE, TILE, SOURCE, BLANK, FIRST, SECOND, THIRD, FOURTH, CHILD_COLUMNS = range(10)

_DEPTH_MASK = np.uint64(MOST_DEPTH)
_BLANK_MASK = np.uint64((1 << UNTRIED_BIT - BLANK_BIT) - 1)
_UNTRIED_MASK = np.uint64((1 << STATE_BIT - UNTRIED_BIT) - 1)
_STATE_MASK = np.uint64((1 << SUBTREE_BIT - STATE_BIT) - 1)


@woven_part
def depth_of(place):
    """Moves made to come to a place."""
    return place & _DEPTH_MASK


@woven_part
def blank_of(place):
    """The blank's cell."""
    return (place >> WORD(BLANK_BIT)) & _BLANK_MASK


@woven_part
def untried_of(place):
    """The set of moves not yet tried there."""
    return (place >> WORD(UNTRIED_BIT)) & _UNTRIED_MASK


@woven_part
def with_untried(place, untried):
    """A place with another set of moves not yet tried."""
    return place & ~(_UNTRIED_MASK << WORD(UNTRIED_BIT)) | untried << WORD(UNTRIED_BIT)


@woven_part
def state_of(place):
    """The state of the move-pruning rules."""
    return (place >> WORD(STATE_BIT)) & _STATE_MASK


@woven_part
def subtree_of(place):
    """The number of the subtree that it belongs to."""
    return place >> WORD(SUBTREE_BIT)


@woven_part
def placed(depth, blank, untried, state, subtree):
    """A place of these fields."""
    return (
        depth
        | blank << WORD(BLANK_BIT)
        | untried << WORD(UNTRIED_BIT)
        | state << WORD(STATE_BIT)
        | subtree << WORD(SUBTREE_BIT)
    )


@woven_part
def tile_at(rows, row, cell, columns, shifts, mask):
    """The tile on a cell of the board in a row; what lay on the blank's cell before, for its."""
    return (rows[row, WORD(columns[cell])] >> WORD(shifts[cell])) & mask


@woven_part
def slide(rows, row, tile, source, blank, columns, shifts):
    """Slide a tile from its cell to the blank's, in the board of a row."""
    rows[row, WORD(columns[source])] ^= tile << WORD(shifts[source])
    rows[row, WORD(columns[blank])] ^= tile << WORD(shifts[blank])
