"""Cursors as bytes: in rows of the database and, as hexadecimal digits, in certificates.

Version 2 writes a position as what its path has in common with that of the position before, how
many moves follow, and then the untried moves and the moves that follow, two to a byte. Neighbours
on a stack have most of their paths in common. Version 3, for trees that begin at the goal, is the
goal's blank and then the same. Version 1 was one path with untried moves at each depth along it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from tilework.core.errors import InputError
from tilework.core.solver.kernels.depth_first.rows import MOST_DEPTH

_VERSION, _ONE_PATH, _FROM_GOAL = 2, 1, 3
_ALL_MOVES = 0b1111
_MORE = 0x80
MOST_POSITIONS = 10_000  # that are read; a search leaves some hundred
Positions = Iterable[tuple[bytes, int]]


def written(positions: Positions, goal_blank: int | None) -> bytes:
    """Write positions, in their order."""
    out = bytearray([_VERSION] if goal_blank is None else [_FROM_GOAL, goal_blank])
    before = b""
    for path, moves in positions:
        depth = common(before, path)
        out += _number(depth) + _number(len(path) - depth)
        codes = [moves, *path[depth:]]
        out += bytes(
            codes[place] << 4 | (codes[place + 1] if place + 1 < len(codes) else 0)
            for place in range(0, len(codes), 2)
        )
        before = path
    return bytes(out)


def read(data: bytes) -> tuple[list[tuple[bytes, int]], int | None]:
    """Read positions of any version, and the goal's blank if their tree begins there."""
    try:
        if data[:1] == bytes([_ONE_PATH]):
            return _of_one_path(data[1:]), None
        if data[:1] in (bytes([_VERSION]), bytes([_FROM_GOAL])):
            rest = iter(data[1:])
            goal_blank = next(rest) if data[0] == _FROM_GOAL else None
            found = list(islice(_positions(rest), MOST_POSITIONS + 1))
            if len(found) <= MOST_POSITIONS:
                return found, goal_blank
    except (ValueError, StopIteration, RuntimeError):
        pass
    raise InputError(
        "cursor-version",
        "{cursor!r} is not a search cursor of version {version}",
        cursor=data.hex()[:80],
        version=_VERSION,
    )


def common(one: bytes, other: bytes) -> int:
    """Return how many moves two paths begin with together."""
    if other.startswith(one):
        return len(one)
    return next(
        place for place in range(len(one)) if one[place : place + 1] != other[place : place + 1]
    )


def _positions(data: Iterator[int]) -> Iterator[tuple[bytes, int]]:
    before = b""
    for first in data:
        depth = _read_number(data, first)
        rest = _read_number(data, next(data))
        if depth > len(before) or depth + rest > MOST_DEPTH:
            raise ValueError
        codes = [half for _ in range(rest // 2 + 1) for half in divmod(next(data), 16)]
        moves, path = codes[0], before[:depth] + bytes(codes[1 : 1 + rest])
        if not moves or any(codes[1 + rest :]) or max(path, default=0) > 3:
            raise ValueError
        yield path, moves
        before = path


def _of_one_path(steps: bytes) -> list[tuple[bytes, int]]:
    too_long = len(steps) > MOST_DEPTH + 1
    if not steps or too_long or max(steps) > 0x3F or steps[-1] > _ALL_MOVES:
        raise ValueError
    path = bytes(step >> 4 for step in steps[:-1])
    untried = [step & _ALL_MOVES for step in steps]
    # What is deepest was searched first.
    deepest_first = reversed(range(len(untried)))
    return [(path[:depth], untried[depth]) for depth in deepest_first if untried[depth]]


def _number(value: int) -> bytes:
    out = bytearray()
    while value >= _MORE:
        out.append(value & _MORE - 1 | _MORE)
        value >>= 7
    out.append(value)
    return bytes(out)


def _read_number(data: Iterator[int], first: int) -> int:
    value, shift, byte = first & _MORE - 1, 7, first
    while byte & _MORE:
        if shift > 14:
            raise ValueError
        byte = next(data)
        value |= (byte & _MORE - 1) << shift
        shift += 7
    return value
