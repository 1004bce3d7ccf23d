"""Array types that kernel signatures share."""

from __future__ import annotations

from numba import int32, types

CELLS = types.Array(int32, 1, "C", readonly=True)
"""A board's cells: flat, contiguous, never written to."""
