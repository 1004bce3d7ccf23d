"""Builds and checks distance tables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.distances.lookup import follow_table
from tilework.core.solver.distances.table import DistanceTable
from tilework.core.solver.kernels.distances import UNSEEN, flood_distances

_WORD_BITS = 64


def build(table: DistanceTable, report: Callable[[float], object] = float) -> NDArray[np.uint8]:
    """Compute all entries and report progress; this takes twice the memory of the table.

    Returns
    -------
    uint8[table.length]; distances modulo 3, four per byte, the first in the lowest bits. The last
        byte is padded with ones.
    """
    entries = np.full(table.length, 0xFF, dtype=np.uint8)
    level, next_level = np.zeros((2, -(-table.boards // _WORD_BITS)), dtype=np.uint64)
    goal = table.number(table.goal)
    entries[goal // 4] ^= UNSEEN << 2 * (goal % 4)
    level[goal // _WORD_BITS] = np.uint64(1 << goal % _WORD_BITS)
    new_boards, reached, depth = 1, 1, 0
    while new_boards:
        depth += 1
        new_boards = flood_distances(
            entries, level, next_level, depth % 3, table.weights, table.parities, table.neighbors
        )
        level[:] = 0
        level, next_level = next_level, level
        reached += new_boards
        report(reached / table.boards)
    return entries


def verify(
    table: DistanceTable, entries: NDArray[np.uint8], report: Callable[[float], object] = float
) -> None:
    """Compute all entries again and compare."""
    mismatches = np.flatnonzero(build(table, report) != entries)
    if mismatches.size:
        raise DamagedFileError(
            "distances-entry",
            "{count} bytes of entries are wrong, the first one at {position}",
            count=mismatches.size,
            position=int(mismatches[0]),
        )


def verify_sample(table: DistanceTable, entries: NDArray[np.uint8], count: int) -> None:
    """Check that the distances of random boards and their neighbours differ by one."""
    random = np.random.default_rng()
    for _ in range(count):
        board = scramble(table.size, table.goal, int(random.integers(1 << 32)))
        length = len(follow_table(table, entries, board))
        for neighbor in board.neighbors():
            if abs(len(follow_table(table, entries, neighbor)) - length) != 1:
                raise DamagedFileError(
                    "distances-neighbor",
                    "{cells} leads to the goal in {length} moves, which a board one move away "
                    "contradicts",
                    cells=board.cells.tolist(),
                    length=length,
                )
