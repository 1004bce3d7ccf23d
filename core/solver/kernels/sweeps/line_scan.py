"""One line of the dynamic program of a sweep, sixteen cells at a time.

The best value of a path at a cell of a line is x[i] = max(x[i - 1] + gain[i], entry[i]), a function
of the value at the previous cell, and such functions are closed under composition. So sixteen cells
are computed by a prefix scan in four steps (W. Hillis, G. Steele, "Data parallel algorithms",
1986), about five times faster than in a plain loop. LLVM does not vectorize such loops, so the code
is generated here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16  # cells scanned at once; lines are padded to a multiple of this
UNREACHABLE = -(1 << 30)  # value of an unreachable cell; 2¹⁵ gains of 2¹⁵ cannot make up for it
_WORD = ir.IntType(32)
_INDEX = ir.IntType(64)
_VALUES = ir.VectorType(_WORD, LANES)
_GAINS = ir.VectorType(ir.IntType(16), LANES)


def _splat(value: int) -> ir.Constant:
    return ir.Constant(_VALUES, [value] * LANES)


def _shuffle(builder: Any, vector: Any, lanes: list[int], second: Any) -> Any:
    """Return the vector's lanes in this order; lane `LANES` is the first lane of ``second``."""
    return builder.shuffle_vector(vector, second, ir.Constant(_VALUES, lanes))


def _broadcast(builder: Any, value: Any) -> Any:
    empty = ir.Constant(_VALUES, ir.Undefined)
    return _shuffle(builder, builder.insert_element(empty, value, _WORD(0)), [0] * LANES, empty)


def _maximum(builder: Any, first: Any, second: Any) -> Any:
    return builder.select(builder.icmp_signed(">", first, second), first, second)


def _scan(builder: Any, gains: Any, values: Any, carry: Any, direction: int) -> Any:
    """Scan a vector from its first lane (1) or its last lane (-1), starting with the carry."""
    steps = [1 << power for power in range(LANES.bit_length() - 1)]

    def shift(vector: Any, step: int, filler: int) -> Any:
        sources = [lane - direction * step for lane in range(LANES)]
        sources = [lane if 0 <= lane < LANES else LANES for lane in sources]
        return _shuffle(builder, vector, sources, _splat(filler))

    for step in steps:
        gains = builder.add(gains, shift(gains, step, 0))
    values = builder.sub(values, gains)
    for step in steps:
        values = _maximum(builder, values, shift(values, step, UNREACHABLE))
    return builder.add(_maximum(builder, carry, values), gains)


class _Line:
    def __init__(
        self,
        context: Any,
        builder: Any,
        array_types: tuple[Any, ...],
        arrays: Any,
        strip_gains: Any,
    ):
        self.builder = builder
        self._strip_gains = strip_gains
        self._data = [
            context.make_array(array_type)(context, builder, array).data
            for array_type, array in zip(array_types, arrays, strict=True)
        ]

    def address(self, array: int, offset: Any, cell: Any, vector_type: Any) -> Any:
        pointer = self.builder.gep(self._data[array], [self.builder.add(offset, cell)])
        return self.builder.bitcast(pointer, vector_type.as_pointer())

    def gains(self, offset: Any, block: Any) -> Any:
        position = self.builder.mul(block, self._strip_gains)
        gains = self.builder.load(self.address(0, offset, position, _GAINS), align=2)
        return self.builder.sext(gains, _VALUES)


@intrinsic
def scan_line(
    _context, planes, values, entry_values, entry_offset, previous_offset, next_offset,
    strip_gains, row, price, cost, blocks,
):  # fmt: skip
    """Advance by one line; return the best value on it.

    The gains of its blocks are ``strip_gains`` apart.
    """
    signature = types.int32(
        planes, values, entry_values, entry_offset, previous_offset, next_offset, strip_gains, row,
        price, cost, blocks,
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        entry_offset, previous_offset, next_offset, strip_gains, row, price, cost, blocks = args[3:]
        line = _Line(context, builder, signature.args[:3], args[:3], strip_gains)
        price, cost = _broadcast(builder, price), _broadcast(builder, cost)
        zero = _INDEX(0)

        def forward(block: Any, carry: Any) -> Any:
            cell = builder.mul(block, _INDEX(LANES))
            address = line.address(1, zero, cell, _VALUES)
            entries = builder.add(builder.load(address, align=4), line.gains(entry_offset, block))
            entries = builder.sub(entries, cost)
            builder.store(entries, line.address(2, row, cell, _VALUES), align=4)
            gains = builder.sub(line.gains(previous_offset, block), price)
            values = _scan(builder, gains, entries, carry, 1)
            builder.store(values, address, align=4)
            return values

        best = cgutils.alloca_once_value(builder, _splat(UNREACHABLE))

        def backward(block: Any, carry: Any) -> Any:
            cell = builder.mul(block, _INDEX(LANES))
            address = line.address(1, zero, cell, _VALUES)
            entries = builder.load(line.address(2, row, cell, _VALUES), align=4)
            gains = builder.sub(line.gains(next_offset, block), price)
            values = _scan(builder, gains, entries, carry, -1)
            maximum = _maximum(builder, builder.load(address, align=4), values)
            builder.store(maximum, address, align=4)
            builder.store(_maximum(builder, builder.load(best), maximum), best)
            return values

        _process_vectors(builder, blocks, forward, 1)
        _process_vectors(builder, blocks, backward, -1)
        return _find_max_lane(builder, builder.load(best))

    return signature, generate


def _process_vectors(
    builder: Any, blocks: Any, step: Callable[[Any, Any], Any], direction: int
) -> None:
    """Process a line's vectors in order; each one gets the last value before it in all lanes."""
    carry = cgutils.alloca_once_value(builder, _splat(UNREACHABLE))
    last = builder.sub(blocks, _INDEX(1))
    with cgutils.for_range(builder, blocks) as loop:
        block = loop.index if direction > 0 else builder.sub(last, loop.index)
        values = step(block, builder.load(carry))
        end = LANES - 1 if direction > 0 else 0
        builder.store(_shuffle(builder, values, [end] * LANES, _splat(0)), carry)


def _find_max_lane(builder: Any, vector: Any) -> Any:
    step = LANES // 2
    while step:
        sources = [(lane + step) % LANES for lane in range(LANES)]
        vector = _maximum(builder, vector, _shuffle(builder, vector, sources, _splat(0)))
        step //= 2
    return builder.extract_element(vector, _WORD(0))
