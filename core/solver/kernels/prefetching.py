"""LLVM's prefetch for kernels: it asks for a cache line that is read or written soon."""

from __future__ import annotations

from tilework.core.compiling import when_compiling


def prefetch(_array, _index):
    """Ask for the cache line of an array's entry; an index out of range does no harm."""


@when_compiling
def _take_instruction():
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    @intrinsic
    def ask(_context, array, index):
        if not isinstance(array, types.Array) or not isinstance(index, types.Integer):
            return None

        def generate(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            address = builder.bitcast(builder.gep(data, [arguments[1]]), cgutils.voidptr_t)
            word = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            to_write, all_caches, data_cache = word(0), word(3), word(1)
            builder.call(function, [address, to_write, all_caches, data_cache])
            return context.get_dummy_value()

        return types.void(array, index), generate

    @overload(prefetch)
    def compiled(_array, _index):
        def prefetched(_array, _index):
            ask(_array, _index)

        return prefetched
