"""Permutations as flat arrays: whether one is, what is wrong with it, and its parity."""

from __future__ import annotations

from functools import lru_cache, reduce

import numpy as np
from numpy.typing import NDArray

from tilework.core.messages import Message, plural

KERNEL_CELLS = 1 << 18
SMALL_CELLS = 256
CHUNK = 1 << 18
NAMED = 5


@lru_cache(maxsize=SMALL_CELLS)
def _identity(count: int) -> list[int]:
    return list(range(count))


def is_permutation(values: NDArray[np.integer]) -> bool:
    """Whether a flat integer array of any width holds each of ``0 .. n-1`` exactly once."""
    count = values.size
    if count <= SMALL_CELLS:
        return sorted(values.tolist()) == _identity(count)
    if count > KERNEL_CELLS:
        return _first_fault(values) < 0
    if values.min() < 0 or values.max() >= count:
        return False
    seen = np.zeros(count, dtype=np.bool_)
    seen[values] = True
    return bool(seen.all())


def describe_fault(values: NDArray[np.integer]) -> Message:
    """Say which numbers are out of range, doubled or missing; at most a few of each."""
    count = values.size
    if count > KERNEL_CELLS:
        place = _first_fault(values)
        tile = int(values[place])
        if 0 <= tile < count:
            return Message(
                "tile-repeated",
                "{tile} at cell {cell} appears a second time",
                tile=tile,
                cell=place + 1,
            )
        return Message(
            "tile-outside",
            "{tile} at cell {cell} is not from 0 to {last}",
            tile=tile,
            cell=place + 1,
            last=count - 1,
        )
    outside = values[(values < 0) | (values >= count)]
    times = np.bincount(values[(values >= 0) & (values < count)], minlength=count)
    repeated, missing = np.flatnonzero(times > 1), np.flatnonzero(times == 0)
    faults = []
    if outside.size:
        fault = plural(
            "tiles-outside",
            "{tiles} is not from 0 to {last}",
            "{tiles} are not from 0 to {last}",
            count=outside.size,
            tiles=_few(outside),
            last=count - 1,
        )
        faults.append(fault)
    if repeated.size:
        fault = plural(
            "tiles-repeated",
            "{tiles} appears more than once",
            "{tiles} appear more than once",
            count=repeated.size,
            tiles=_few(repeated),
        )
        faults.append(fault)
    if missing.size:
        fault = plural(
            "tiles-missing",
            "{tiles} is missing",
            "{tiles} are missing",
            count=missing.size,
            tiles=_few(missing),
        )
        faults.append(fault)
    return reduce(_and, faults)


def fault_place(values: NDArray[np.integer]) -> int:
    """Index of the first number that is out of range or occurs again; -1 if there is none."""
    if values.size > KERNEL_CELLS:
        return _first_fault(values)
    seen = set()
    for place, value in enumerate(values.tolist()):
        if value in seen or not 0 <= value < values.size:
            return place
        seen.add(value)
    return -1


def counts_up(values: NDArray[np.int32], first: int) -> bool:
    """Whether the values are ``first, first + 1, …``; compared in chunks."""
    return all(
        np.array_equal(chunk, np.arange(first + start, first + start + chunk.size))
        for start in range(0, values.size, CHUNK)
        for chunk in (values[start : start + CHUNK],)
    )


def is_odd(cells: NDArray[np.int32]) -> bool:
    """Whether a permutation is odd: ``n`` less its number of cycles is."""
    count = cells.size
    if count > KERNEL_CELLS:
        from tilework.core.puzzle.board_kernel import GROUP, permutation_is_odd

        return bool(permutation_is_odd(cells, GROUP))
    successors = cells.tolist()
    seen = bytearray(count)
    odd = count & 1
    for first in range(count):
        if not seen[first]:
            odd ^= 1
            cell = first
            while not seen[cell]:
                seen[cell] = 1
                cell = successors[cell]
    return bool(odd)


def _first_fault(values: NDArray[np.integer]) -> int:
    from tilework.core.puzzle.board_kernel import first_fault

    bits = np.zeros((values.size + 63) // 64, dtype=np.uint64)
    kept = values.dtype in (np.int32, np.int64)
    numbers = np.ascontiguousarray(values, values.dtype if kept else np.int64)
    return int(first_fault(numbers, bits))


def _few(numbers: NDArray[np.integer]) -> str | Message:
    some = ", ".join(str(number)[:20] for number in numbers[:NAMED].tolist())
    more = numbers.size - NAMED
    return Message("and-more", "{some} and {more} more", some=some, more=more) if more > 0 else some


def _and(one: Message, other: Message) -> Message:
    return Message(one.code, "{one}; {other}", one=one, other=other)
