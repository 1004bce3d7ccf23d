"""Counting bits with the processor's own instructions."""

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


@intrinsic
def lowest_bit(_context, word):
    """Return the place of the lowest bit that is set in a word; some must be."""
    if not isinstance(word, types.Integer):
        return None

    def generate(context, builder, _signature, arguments):
        undefined_for_zero = context.get_constant(types.boolean, 1)
        return builder.cttz(arguments[0], undefined_for_zero)

    return word(word), generate
