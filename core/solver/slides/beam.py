"""A beam search for a solution with few slides (see `tilework.core.solver.large.beam`)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits, search_clock
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.slides.patterns import SlideTables

_TILE_BITS = 4
_NO_DIRECTION = -1

Column = NDArray[Any]


class _Level(NamedTuple):
    """Boards at one distance from the start, by columns."""

    cells: Column
    blanks: Column
    indices: Column  # of the entries, by pattern
    origins: Column  # the board on the previous level
    directions: Column  # of the last slide, as move codes
    steps: Column  # number of tiles in the last slide

    def select(self, rows: Column) -> _Level:
        return _Level(*(column[rows] for column in self))


def slide_beam(
    board: Board, tables: SlideTables, width: int, limits: Limits, upper_bound: int
) -> Outcome:
    """Look for a solution with fewer slides than a bound; keep the best boards of each level.

    The maximum of a board's estimates prunes it, and their sum orders the remaining boards.
    """
    started, nodes = search_clock(), 0
    blank, indices = np.array([board.blank]), tables.indices(board.cells)[None]
    none = np.zeros(1, dtype=np.int64)
    levels = [_Level(board.cells[None], blank, indices, none, none + _NO_DIRECTION, none)]
    for room in range(upper_bound - 2, -1, -1):
        if (stopped_by := limits.check(search_clock() - started, nodes)) is not None:
            return Outcome(None, nodes, search_clock() - started, stopped_by)
        children = _expand(levels[-1], tables)
        nodes += children.blanks.size
        estimates = tables.entries[children.indices]
        highest = estimates.max(axis=1)
        if (solved := np.flatnonzero(highest == 0)).size:
            moves = _read_moves([*levels, children], int(solved[0]))
            return Outcome(moves, nodes, search_clock() - started, None)
        kept = _find_unique(children, np.flatnonzero(highest <= room))
        totals = estimates[kept].sum(axis=1, dtype=np.int64)
        levels.append(children.select(kept[np.argsort(totals, kind="stable")[:width]]))
    return Outcome(None, nodes, search_clock() - started, None)


def _expand(level: _Level, tables: SlideTables) -> _Level:
    """Make all slides along the line that the last one was not along."""
    parts: list[_Level] = []
    for direction in range(4):
        rows = np.flatnonzero(
            (level.directions == _NO_DIRECTION) | (level.directions // 2 != direction // 2)
        )
        part = level.select(rows)._replace(origins=rows)
        for steps in range(1, max(tables.goal.size)):
            targets = tables.neighbors[part.blanks, direction].astype(np.int64)
            legal = np.flatnonzero(targets >= 0)
            part, targets = part.select(legal), targets[legal]
            rows = np.arange(legal.size)
            tiles = part.cells[rows, targets]
            part.cells[rows, part.blanks] = tiles
            part.cells[rows, targets] = 0
            part = part._replace(
                blanks=targets,
                indices=part.indices + tables.shifts[direction, tiles],
                directions=np.full(legal.size, direction),
                steps=np.full(legal.size, steps),
            )
            parts.append(part)
    return _Level(*map(np.concatenate, zip(*parts, strict=True)))


def _find_unique(level: _Level, rows: Column) -> Column:
    """Return one row for each board and each line of its last slide."""
    # The last cell follows from the others.
    cells = level.cells[rows, :-1].astype(np.int64)
    keys = (cells << _TILE_BITS * np.arange(cells.shape[1])).sum(axis=1)
    _, first = np.unique(2 * keys + level.directions[rows] // 2, return_index=True)
    return rows[first]


def _read_moves(levels: list[_Level], row: int) -> Moves:
    slides: list[Moves] = []
    for level in levels[:0:-1]:
        slides.append(np.full(level.steps[row], level.directions[row], dtype=np.uint8))
        row = int(level.origins[row])
    return np.concatenate(slides[::-1])
