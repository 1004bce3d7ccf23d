"""Array types that kernel signatures share."""

from __future__ import annotations

from tilework.core.compiling import int32, int64, types, uint8, uint16

CELLS = types.Array(int32, 1, "C", readonly=True)
"""A board's cells: flat, contiguous, never written to."""

BYTES = types.Array(uint8, 1, "C", readonly=True)
WORDS = types.Array(int64, 1, "C", readonly=True)
TABLE = types.Array(int64, 2, "C", readonly=True)
TABLES = types.Array(int64, 3, "C", readonly=True)
"""Flat, and of two and three dimensions; never written to."""

STEPS = types.Array(int32, 2, "C", readonly=True)
"""By state of an automaton and move the next state; never written to."""

RANKS = types.Array(uint16, 1, "C", readonly=True)
RANK_TABLES = types.Array(uint16, 2, "C", readonly=True)
"""What parts of a placement add to its rank; never written to."""

OPEN_BYTES = types.Array(uint8, 1, "C")
OPEN_WORDS = types.Array(int64, 1, "C")
OPEN_TABLE = types.Array(int64, 2, "C")
"""Changed in place."""
