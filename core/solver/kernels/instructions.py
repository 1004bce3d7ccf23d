"""Bit counting and prefetching with processor instructions; plain Python if not compiled."""

from tilework.core.compiling import before_compiling


def count_bits(word):
    return type(word)(int(word).bit_count())


def find_lowest_bit(word):
    """Return the index of the lowest set bit of a word, which must not be 0."""
    return type(word)((int(word) & -int(word)).bit_length() - 1)


@before_compiling
def _register_bit_counting():
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def emit_population_count(_context, word):
        if not isinstance(word, types.Integer):
            return None

        def generate(_context, builder, _signature, arguments):
            return builder.ctpop(arguments[0])

        return word(word), generate

    @intrinsic
    def emit_trailing_zeros(_context, word):
        if not isinstance(word, types.Integer):
            return None

        def generate(context, builder, _signature, arguments):
            undefined_for_zero = context.get_constant(types.boolean, 1)
            return builder.cttz(arguments[0], undefined_for_zero)

        return word(word), generate

    @overload(count_bits)
    def overload_count_bits(_word):
        def count(_word):
            return emit_population_count(_word)

        return count

    @overload(find_lowest_bit)
    def overload_find_lowest_bit(_word):
        def find(_word):
            return emit_trailing_zeros(_word)

        return find


def prefetch(_array, _index):
    """Prefetch the cache line of an array's entry; the index may be out of range."""


@before_compiling
def _register_prefetch():
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    @intrinsic
    def emit_prefetch(_context, array, index):
        if not isinstance(array, types.Array) or not isinstance(index, types.Integer):
            return None

        def generate(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            address = builder.bitcast(builder.gep(data, [arguments[1]]), cgutils.voidptr_t)
            word = ir.IntType(32)
            function_type = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
            function = cgutils.get_or_insert_function(
                builder.module, function_type, "llvm.prefetch.p0"
            )
            to_write, all_caches, data_cache = word(0), word(3), word(1)
            builder.call(function, [address, to_write, all_caches, data_cache])
            return context.get_dummy_value()

        return types.void(array, index), generate

    @overload(prefetch)
    def overload_prefetch(_array, _index):
        def request(_array, _index):
            emit_prefetch(_array, _index)

        return request
