"""Counting bits with the processor's own instruction."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic


@intrinsic
def count_bits(_context, word):
    """Return how many bits of a word are set."""
    if not isinstance(word, types.Integer):
        return None

    def generate(_context, builder, _signature, arguments):
        return builder.ctpop(arguments[0])

    return word(word), generate
