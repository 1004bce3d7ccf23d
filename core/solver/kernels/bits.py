"""Counting bits with the processor's own instructions, or in Python where nothing is compiled."""

from __future__ import annotations

from tilework.core.compiling import when_compiling


def count_bits(word):
    """Return how many bits of a word are set."""
    return type(word)(int(word).bit_count())


def lowest_bit(word):
    """Return the place of the lowest bit that is set in a word; some must be."""
    return type(word)((int(word) & -int(word)).bit_length() - 1)


@when_compiling
def _take_instructions():
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def population(_context, word):
        if not isinstance(word, types.Integer):
            return None

        def generate(_context, builder, _signature, arguments):
            return builder.ctpop(arguments[0])

        return word(word), generate

    @intrinsic
    def trailing_zeros(_context, word):
        if not isinstance(word, types.Integer):
            return None

        def generate(context, builder, _signature, arguments):
            undefined_for_zero = context.get_constant(types.boolean, 1)
            return builder.cttz(arguments[0], undefined_for_zero)

        return word(word), generate

    @overload(count_bits)
    def compiled_count(_word):
        def count(_word):
            return population(_word)

        return count

    @overload(lowest_bit)
    def compiled_lowest(_word):
        def place(_word):
            return trailing_zeros(_word)

        return place
