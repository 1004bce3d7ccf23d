"""Checking tables of distances."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.distances.building import build
from tilework.core.solver.distances.descent import way_down
from tilework.core.solver.distances.table import DistanceTable


def verify(
    table: DistanceTable, entries: NDArray[np.uint8], tell: Callable[[float], object] = float
) -> None:
    """Compute every entry again.

    Raises
    ------
    DamagedFileError
        Where one is different.
    """
    wrong = np.flatnonzero(build(table, tell) != entries)
    if wrong.size:
        raise DamagedFileError(
            "distances-entry",
            "{count} bytes of entries are wrong, the first one at {place}",
            count=wrong.size,
            place=int(wrong[0]),
        )


def verify_some(table: DistanceTable, entries: NDArray[np.uint8], count: int) -> None:
    """Check that random boards, and those one move away, lead to the goal as they must.

    Ways from boards one move apart differ by one in length.

    Raises
    ------
    DamagedFileError
        Where they do not.
    """
    dice = np.random.default_rng()
    for _ in range(count):
        board = scramble(table.size, table.goal, int(dice.integers(1 << 32)))
        length = len(way_down(table, entries, board))
        for near in board.neighbors():
            if abs(len(way_down(table, entries, near)) - length) != 1:
                raise DamagedFileError(
                    "distances-neighbor",
                    "{cells} leads to the goal in {length} moves, which a board one move away "
                    "contradicts",
                    cells=board.cells.tolist(),
                    length=length,
                )
