"""Atomic changes of arrays that several threads write to at once."""

from __future__ import annotations

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def fetch_or(_context, array, index, bits):
    """Set bits of ``array[index]``, which must be in range; return what it was before."""
    if not isinstance(array, types.Array) or not isinstance(index, types.Integer):
        return None
    if array.dtype != bits:
        return None

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        data = context.make_array(kind)(context, builder, arguments[0])
        address = cgutils.get_item_pointer(context, builder, kind, data, [arguments[1]])
        # Threads agree on this entry alone; between levels they wait for each other anyway.
        return builder.atomic_rmw("or", address, arguments[2], "monotonic")

    return bits(array, index, bits), generate
