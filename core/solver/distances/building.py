"""Building and checking of tables of distances."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.distances.lookup import follow_table
from tilework.core.solver.distances.table import DistanceTable
from tilework.core.solver.kernels.distances import UNSEEN, flood_distances

_WORD = 64


def build(table: DistanceTable, report: Callable[[float], object] = float) -> NDArray[np.uint8]:
    """Compute every entry; report the share that is done. Takes twice the table's memory.

    Returns
    -------
    uint8[table.length]; the distance modulo 3 of four boards a byte, the first in its lowest bits.
        The last byte is padded with ones.
    """
    entries = np.full(table.length, 0xFF, dtype=np.uint8)
    level, following = np.zeros((2, -(-table.boards // _WORD)), dtype=np.uint64)
    goal = table.number(table.goal)
    entries[goal // 4] ^= UNSEEN << 2 * (goal % 4)
    level[goal // _WORD] = np.uint64(1 << goal % _WORD)
    found, done, depth = 1, 1, 0
    while found:
        depth += 1
        found = flood_distances(
            entries, level, following, depth % 3, table.weights, table.parities, table.neighbors
        )
        level[:] = 0
        level, following = following, level
        done += found
        report(done / table.boards)
    return entries


def verify(
    table: DistanceTable, entries: NDArray[np.uint8], report: Callable[[float], object] = float
) -> None:
    """Compute every entry again and compare."""
    wrong = np.flatnonzero(build(table, report) != entries)
    if wrong.size:
        raise DamagedFileError(
            "distances-entry",
            "{count} bytes of entries are wrong, the first one at {place}",
            count=wrong.size,
            place=int(wrong[0]),
        )


def verify_some(table: DistanceTable, entries: NDArray[np.uint8], count: int) -> None:
    """Check that the distances of random boards and their neighbours differ by one."""
    random = np.random.default_rng()
    for _ in range(count):
        board = scramble(table.size, table.goal, int(random.integers(1 << 32)))
        length = len(follow_table(table, entries, board))
        for near in board.neighbors():
            if abs(len(follow_table(table, entries, near)) - length) != 1:
                raise DamagedFileError(
                    "distances-neighbor",
                    "{cells} leads to the goal in {length} moves, which a board one move away "
                    "contradicts",
                    cells=board.cells.tolist(),
                    length=length,
                )
