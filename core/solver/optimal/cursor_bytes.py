"""Encoding of cursors as bytes: for the database and, in hexadecimal, for certificates.

Version 2 encodes a position as the length of the path that it shares with the previous position,
the number of further moves, then the untried moves and the further moves, two per byte.
Neighbouring positions on a stack share most of their paths. Version 3, for trees that start at the
goal, begins with the goal's blank cell and is otherwise like version 2. Version 1 was a path with
the untried moves at each depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from tilework.core.errors import InputError
from tilework.core.solver.kernels.depth_first.search import MAX_DEPTH

_VERSION, _VERSION_1, _VERSION_FROM_GOAL = 2, 1, 3
_ALL_MOVES = 0b1111
_CONTINUATION_BIT = 0x80
MAX_POSITIONS = 10_000  # to decode; the cursor of a search has about a hundred
Positions = Iterable[tuple[bytes, int]]


def encode(positions: Positions, goal_blank: int | None) -> bytes:
    data = bytearray([_VERSION] if goal_blank is None else [_VERSION_FROM_GOAL, goal_blank])
    previous = b""
    for path, moves in positions:
        depth = common_prefix_length(previous, path)
        data += _encode_number(depth) + _encode_number(len(path) - depth)
        codes = [moves, *path[depth:]]
        data += bytes(
            codes[index] << 4 | (codes[index + 1] if index + 1 < len(codes) else 0)
            for index in range(0, len(codes), 2)
        )
        previous = path
    return bytes(data)


def decode(data: bytes) -> tuple[list[tuple[bytes, int]], int | None]:
    """Decode positions of any version, and the goal's blank if the tree starts at the goal."""
    try:
        if data[:1] == bytes([_VERSION_1]):
            return _decode_version_1(data[1:]), None
        if data[:1] in (bytes([_VERSION]), bytes([_VERSION_FROM_GOAL])):
            numbers = iter(data[1:])
            goal_blank = next(numbers) if data[0] == _VERSION_FROM_GOAL else None
            positions = list(islice(_decode_positions(numbers), MAX_POSITIONS + 1))
            if len(positions) <= MAX_POSITIONS:
                return positions, goal_blank
    except (ValueError, StopIteration, RuntimeError):
        pass
    raise InputError(
        "cursor-version",
        "{cursor!r} is not a search cursor of version {version}",
        cursor=data.hex()[:80],
        version=_VERSION,
    )


def common_prefix_length(path: bytes, other: bytes) -> int:
    """Return the length of the common prefix of two paths."""
    for index, (move, other_move) in enumerate(zip(path, other, strict=False)):
        if move != other_move:
            return index
    return min(len(path), len(other))


def _decode_positions(data: Iterator[int]) -> Iterator[tuple[bytes, int]]:
    previous = b""
    for first in data:
        depth = _decode_number(data, first)
        count = _decode_number(data, next(data))
        if depth > len(previous) or depth + count > MAX_DEPTH:
            raise ValueError
        codes = [code for _ in range(count // 2 + 1) for code in divmod(next(data), 16)]
        moves, path = codes[0], previous[:depth] + bytes(codes[1 : 1 + count])
        if not moves or any(codes[1 + count :]) or max(path, default=0) > 3:
            raise ValueError
        yield path, moves
        previous = path


def _decode_version_1(steps: bytes) -> list[tuple[bytes, int]]:
    too_long = len(steps) > MAX_DEPTH + 1
    if not steps or too_long or max(steps) > 0x3F or steps[-1] > _ALL_MOVES:
        raise ValueError
    path = bytes(step >> 4 for step in steps[:-1])
    untried = [step & _ALL_MOVES for step in steps]
    # The deepest position is searched first.
    deepest_first = reversed(range(len(untried)))
    return [(path[:depth], untried[depth]) for depth in deepest_first if untried[depth]]


def _encode_number(value: int) -> bytes:
    out = bytearray()
    while value >= _CONTINUATION_BIT:
        out.append(value & _CONTINUATION_BIT - 1 | _CONTINUATION_BIT)
        value >>= 7
    out.append(value)
    return bytes(out)


def _decode_number(data: Iterator[int], first: int) -> int:
    value, shift, byte = first & _CONTINUATION_BIT - 1, 7, first
    while byte & _CONTINUATION_BIT:
        if shift > 14:
            raise ValueError
        byte = next(data)
        value |= (byte & _CONTINUATION_BIT - 1) << shift
        shift += 7
    return value
