"""The additive pattern databases of a goal, laid out so that a whole board is estimated at once."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import DOWN, RIGHT
from tilework.core.solver.optimal.choice import additive_engine_for
from tilework.core.solver.optimal.engines import PatternEngine


class BoardTables(NamedTuple):
    """What `tilework.core.solver.kernels.ways.expand_boards` estimates with, in its order."""

    entries: NDArray[np.uint8]
    slots: NDArray[np.int64]
    parts: NDArray[np.int64]
    bases: NDArray[np.int64]


def board_tables(goal: Board, pdb_folder: Path | None = None) -> tuple[BoardTables, PatternEngine]:
    """Return the tables of a goal, and the engine whose they are.

    Parameters
    ----------
    goal : Board
        From 2 × 2 to 16 cells.
    pdb_folder : Path, optional
        Folder of the pattern databases; the user's cache folder by default.
    """
    engine = additive_engine_for(goal, pdb_folder)
    return _laid_out(goal, engine), engine


@lru_cache(maxsize=16)
def _laid_out(goal: Board, engine: PatternEngine) -> BoardTables:
    patterns = engine.patterns
    rows, columns = np.divmod(np.arange(goal.size.cells), goal.width)
    # A tile that slides changes its pattern's index by as much from whichever cell.
    parts = (
        patterns.steps[:, :, DOWN, np.newaxis] * rows
        + patterns.steps[:, :, RIGHT, np.newaxis] * columns
    )
    bases = patterns.indices(goal.cells).astype(np.int64)
    tiles = np.flatnonzero(goal.cells)
    for view in range(2):
        of_goal = parts[view, goal.cells[tiles], tiles]
        np.subtract.at(bases, patterns.slots[view, goal.cells[tiles]], of_goal)
    return BoardTables(patterns.entries, patterns.slots, np.ascontiguousarray(parts), bases)
