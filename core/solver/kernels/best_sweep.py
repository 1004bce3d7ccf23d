"""The best path of the blank across the lines of a board, by dynamic programming.

The blank moves from line to line in one direction, and along each line any distance in one
direction. It visits no cell twice, so the gain of a step does not depend on earlier steps, and the
time is proportional to the number of cells considered.

The best value of a path at a cell of a line is x[i] = max(x[i - 1] + gain[i], entry[i]), a function
of the value at the previous cell, and such functions are closed under composition. So sixteen cells
are computed by a prefix scan in four steps (W. Hillis, G. Steele, "Data parallel algorithms",
1986), about five times faster than in a plain loop. LLVM does not vectorize such loops, so their
code is generated here.

The board is divided into *strips* of `LANES` cells of each line, and stored strip by strip, so that
a search in a narrow band reads memory in order. Each strip ends with an additional line, and there
is an additional strip before the first and after the last. The *index* of a cell is its position in
this order.

A *gain table* contains the gain of each tile for each move, in this order: int16[4 · cells]. Each
block of `LANES` cells has its gains for moves to the next line, then to the previous line, the next
cell and the previous cell. The additional lines and strips contain zeros. Gains are integers in
units of 1/`ONE` moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tilework.core.compiling import subroutine

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


ONE = 4096  # cost of a move at a price of one
NEXT_LINE, PREVIOUS_LINE, NEXT_CELL, PREVIOUS_CELL = range(4)


@subroutine
def strip_size(lines):
    """Return the number of cells of a strip."""
    return (lines + 1) * LANES


@subroutine
def cell_index(lines, line, cell):
    """Return the index of a cell of a line."""
    lane = cell & (LANES - 1)
    return (cell - lane + LANES) * (lines + 1) + line * LANES + lane


@subroutine
def gain_index(index, move):
    """Return the position in a gain table of the gain of a move of the tile on a cell."""
    return 4 * index - 3 * (index & (LANES - 1)) + LANES * move


@subroutine
def find_best_sweep(
    gains, lines, line, cell, step, max_lines, low, high, price, entry_values, values
):
    """Find the best path from the blank through a rectangle of cells.

    Parameters
    ----------
    gains : int16[:]; the gain table of ``lines`` lines
    line, cell : int64; of the blank
    step : int64; 1 or -1, towards higher or lower lines
    max_lines : int64; number of lines, including the blank's
    low, high : int64; the cells ``low`` to ``high - 1`` of each line are considered, in whole
        blocks of `LANES`, except that ``high`` can be the end of the lines
    price : int32; cost of a move
    entry_values : int32[max_lines · the length of a line], filled; best value of a path that enters
        a line there
    values : int32[the length of a line, in whole blocks]; scratch

    Returns
    -------
    value, last line relative to the blank's line, last cell relative to ``low``; the value is 0 if
        no path is worth its cost
    """
    count = high - low
    blocks = (count + LANES - 1) // LANES
    stride = blocks * LANES
    entry_move = PREVIOUS_LINE if step > 0 else NEXT_LINE
    best = np.int32(0)
    best_line = 0
    best_cell = 0
    values[:stride] = UNREACHABLE
    values[cell - low] = 0
    strip_gains = 4 * strip_size(lines)
    zeros = gain_index(cell_index(lines, lines, low), 0)
    for k in range(max_lines):
        first = cell_index(lines, line + step * k, low)
        entry = gain_index(first, entry_move) if k > 0 else zeros
        cost = price if k > 0 else np.int32(0)
        line_best = scan_line(
            gains, values, entry_values, entry, gain_index(first, PREVIOUS_CELL),
            gain_index(first, NEXT_CELL), strip_gains, k * stride, price, cost, blocks,
        )  # fmt: skip
        for i in range(count, stride):
            values[i] = UNREACHABLE
        if line_best > best:
            best = line_best
            best_line = k
            best_cell = 0
            while values[best_cell] != line_best:
                best_cell += 1
    return best, best_line, best_cell


@subroutine
def trace_sweep(gains, lines, line, step, low, high, price, entry_values, sweep, moves, path):
    """Write the moves of the path that `find_best_sweep` found; return their number.

    ``sweep`` is its result. ``moves`` are the codes of the blank's steps to the next line, the
    previous line, the next cell and the previous cell; the path is written to ``path`` uint8[].
    """
    count = high - low
    stride = (count + LANES - 1) // LANES * LANES
    entry_move = PREVIOUS_LINE if step > 0 else NEXT_LINE
    step_move = moves[NEXT_LINE] if step > 0 else moves[PREVIOUS_LINE]
    length = 0
    value = np.int64(sweep[0])
    last_line = sweep[1]
    cell = sweep[2]
    for k in range(last_line, -1, -1):
        line_k = line + step * k
        row = k * stride
        # The path entered the line at the nearest cell on either side that explains the value.
        steps_below = 0
        steps_above = 0
        from_below = np.int64(value)
        from_above = np.int64(value)
        while True:
            if entry_values[row + cell - steps_below] == from_below:
                path[length : length + steps_below] = moves[NEXT_CELL]
                length += steps_below
                cell -= steps_below
                value = from_below
                break
            if entry_values[row + cell + steps_above] == from_above:
                path[length : length + steps_above] = moves[PREVIOUS_CELL]
                length += steps_above
                cell += steps_above
                value = from_above
                break
            if steps_below < cell:
                index = gain_index(
                    cell_index(lines, line_k, low + cell - steps_below), PREVIOUS_CELL
                )
                from_below -= gains[index] - price
                steps_below += 1
            if cell + steps_above + 1 < count:
                index = gain_index(cell_index(lines, line_k, low + cell + steps_above), NEXT_CELL)
                from_above -= gains[index] - price
                steps_above += 1
        if k > 0:
            path[length] = step_move
            length += 1
            value -= gains[gain_index(cell_index(lines, line_k, low + cell), entry_move)] - price
    for i in range(length // 2):
        path[i], path[length - 1 - i] = path[length - 1 - i], path[i]
    return length
