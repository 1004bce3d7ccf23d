"""Boards of up to 16 cells as one 64-bit integer: four bits a cell, cell 0 lowest.

A packed state is an int64 whose 64 bits are read as sixteen nibbles; signed only because Numba
turns mixtures of uint64 and int64 into floats. The tile on cell ``c`` is
``(state >> 4 * c) & 15``.
"""

from __future__ import annotations

import numpy as np

from core.compiling import part

PACKED_CELLS = 16


@part
def hash_of(state):
    """Spread a packed state over 62 bits.

    Two products of a 32-bit half and a 31-bit prime, so that nothing overflows, also where the
    kernel runs as plain Python.
    """
    mixed = ((state & 0xFFFFFFFF) * 1540483477) ^ (((state >> 32) & 0xFFFFFFFF) * 1979816573)
    return mixed ^ (mixed >> 31)


@part
def line_excess(state, first, step, length, goal_line, goal_place, line):
    """Tiles of one line that must leave it: those at home in it, less their longest order kept.

    Parameters
    ----------
    state : int64
        Packed board.
    first, step, length : int64
        The line's first cell, the way to its next one, and its number of cells.
    goal_line, goal_place : int64[16]
        For each tile, the line (row or column) of its goal, and the place along it.
    line : int64
        The line looked at.
    """
    places = np.int64(0)
    longest = np.int64(0)
    home = 0
    best = 0
    for i in range(length):
        tile = (state >> (4 * (first + i * step))) & 15
        if tile == 0 or goal_line[tile] != line:
            continue
        place = goal_place[tile]
        here = 1
        for j in range(home):
            if ((places >> (4 * j)) & 15) < place:
                there = ((longest >> (4 * j)) & 15) + 1
                here = max(here, there)
        places |= np.int64(place) << (4 * home)
        longest |= np.int64(here) << (4 * home)
        home += 1
        best = max(best, here)
    return home - best
