"""Boards of up to 16 cells as one 64-bit integer: four bits a cell, cell 0 lowest.

A packed state is an int64 whose 64 bits are read as sixteen nibbles; signed only because Numba
turns mixtures of uint64 and int64 into floats. The tile on cell ``c`` is
``(state >> 4 * c) & 15``.
"""

from __future__ import annotations

from tilework.core.compiling import part

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
def packed_tile(state, cell):
    """A cell's tile: a reader for `tilework.core.solver.kernels.line_conflicts.conflicts_of`."""
    return (state >> (4 * cell)) & 15
