"""Checking pattern databases against what can be said of them without building them again."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.errors import DamagedFileError
from core.kernels.constants import UNREACHED
from core.pdb.distances import Entries
from core.pdb.patterns import Partition, Pattern
from core.puzzle.board import Size


def verify(partition: Partition, entries: Entries) -> None:
    """Check every entry of a partition's databases.

    The goal alone has distance 0; no distance is less than the pattern's Manhattan distance, nor
    of another parity; the placements with two tiles in one cell, and no others, have none.

    Parameters
    ----------
    partition : Partition
    entries : uint8 array, shape (partition.length,)

    Raises
    ------
    DamagedFileError
        At the first pattern with a wrong entry.
    """
    parts = np.split(entries, partition.offsets[1:])
    for pattern, part in zip(partition.patterns, parts, strict=True):
        # The index is a number in base n whose lowest digit is the first tile's cell.
        by_cells = part.reshape((partition.size.cells,) * len(pattern)).transpose()
        clash = _clashes(pattern, partition.size)
        distance = _manhattan(pattern, partition.size)
        wrong = (by_cells < distance) | ((by_cells ^ distance) & 1 == 1)
        wrong |= (by_cells == 0) != (distance == 0)
        unreached = by_cells == UNREACHED
        wrong &= ~unreached
        # Only a pattern of all the tiles has placements of the wrong parity as well.
        whole = len(pattern) == partition.size.cells - 1
        wrong |= clash & ~unreached if whole else clash != unreached
        if wrong.any():
            cells = [int(place[0]) for place in np.nonzero(wrong)]
            raise DamagedFileError(
                f"the database of {pattern} of {partition.size} says {by_cells[tuple(cells)]} "
                f"with these tiles on the cells {cells}, which cannot be"
            )


def _manhattan(pattern: Pattern, size: Size) -> NDArray[np.uint8]:
    """By the cells of a pattern's tiles, one axis a tile, the sum of their distances."""
    total = np.zeros((size.cells,) * len(pattern), dtype=np.uint8)
    rows, columns = np.divmod(np.arange(size.cells), size.width)
    for axis, tile in enumerate(pattern):
        distance = abs(rows - rows[tile - 1]) + abs(columns - columns[tile - 1])
        total += _on_axis(distance.astype(np.uint8), axis, len(pattern))
    return total


def _clashes(pattern: Pattern, size: Size) -> NDArray[np.bool_]:
    """By the cells of a pattern's tiles, whether two of them share one."""
    clash = np.zeros((size.cells,) * len(pattern), dtype=np.bool_)
    cells = np.arange(size.cells)
    for one, other in combinations(range(len(pattern)), 2):
        clash |= _on_axis(cells, one, len(pattern)) == _on_axis(cells, other, len(pattern))
    return clash


def _on_axis(values: NDArray[np.integer], axis: int, axes: int) -> NDArray[np.integer]:
    """Return a flat array laid along one of many axes, to be broadcast along the others."""
    return values.reshape([-1 if place == axis else 1 for place in range(axes)])
