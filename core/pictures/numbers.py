"""How probable each tile is on a cell, and that it is the blank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.pictures.digits import NO_DIGIT, Network, features_of
from tilework.core.pictures.strokes import Piece, pieces_of

_WIDE: Final = 0.75  # width by height from which a piece may be two digits that touch
_LEFT_OUT: Final = 0.1
_CUT: Final = 0.5  # what a reading is worth less for each piece left out, and for a cut
_BARE: Final = 0.97  # worth of "the blank" where nothing is drawn

# What every tile is worth everywhere: the reader may be wrong about all it sees
_ANYTHING: Final = 1e-4

# A way to read a cell: the places of its digits among the pieces, and its worth.
_Way = tuple[tuple[int, ...], float]


def worths_of(cells: NDArray[np.uint8], network: Network) -> NDArray[np.float64]:
    """Say how probable each tile is on each cell."""
    pieces: list[Piece] = []
    ways: list[list[_Way]] = []
    for cell in cells:
        seen = pieces_of(cell)
        ways.append(list(_ways(seen, len(pieces))))
        pieces += seen
        for piece in seen:
            pieces += piece.cut() if _is_wide(piece) else ()
    shares = network.shares(features_of(pieces))
    count = len(cells)
    worths = np.full((count, count), _ANYTHING)
    for row, of_cell in zip(worths, ways, strict=True):
        if not of_cell:
            row[0] = _BARE
        for places, worth in of_cell:
            _add(row, shares[list(places)], worth)
    return worths


def _is_wide(piece: Piece) -> bool:
    height, width = piece.ink.shape
    return bool(width > _WIDE * height)


def _ways(seen: Sequence[Piece], first: int) -> Iterator[_Way]:
    """Yield the ways to read pieces, whose places begin with `first`; their cuts come after."""
    count = len(seen)
    for place in range(count):
        yield (first + place,), _LEFT_OUT ** (count - 1)
        if place + 1 < count:
            yield (first + place, first + place + 1), _LEFT_OUT ** (count - 2)
    cut = first + count
    for piece in seen:
        if _is_wide(piece):
            yield (cut, cut + 1), _CUT * _LEFT_OUT ** (count - 1)
            cut += 2


def _add(row: NDArray[np.float64], shares: NDArray[np.float32], worth: float) -> None:
    """Raise the worth of each number that these digits can be to what this way makes it."""
    joint = worth * shares[0, :NO_DIGIT].astype(np.float64)
    if len(shares) == 2:
        # No number begins with a 0.
        joint = np.outer(joint[1:], shares[1, :NO_DIGIT]).ravel()
    first = 10 if len(shares) == 2 else 0
    last = min(len(row), first + len(joint))
    if last > first:
        np.maximum(row[first:last], joint[: last - first], out=row[first:last])
