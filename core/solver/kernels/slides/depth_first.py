"""Depth-first search for a solution of few slides, under a threshold on f.

Two slides along the same line are one, or undo each other: rows and columns take turns. The
estimate is the greatest of several pattern databases; a slide may move tiles of all of them, so
that their sum would be no bound.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int8, int64, kernel, types
from tilework.core.solver.kernels.array_types import BYTES, TABLES
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    FOUND,
    INDEX,
    OUT_OF_BUDGET,
)

REPORT_LENGTH = 5
DEPTH, GENERATED, EXPANDED, NEXT_THRESHOLD, BLANK = range(REPORT_LENGTH)
"""Places in the report: moves made, in and out; nodes of the call; least f over the threshold so
far, in and out; and the blank's cell."""

DONE = 4
"""A direction after the last one."""


@kernel(
    int64(
        BYTES, TABLES, types.Array(int8, 2, "C", readonly=True), int64, int64,
        int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],
    )
)  # fmt: skip
def search_slides(
    entries, shifts, neighbors, threshold, budget, cells, indices, ways, steps, report
):
    """Go on with a search for a path of at most ``threshold`` slides to the goal.

    Parameters
    ----------
    entries : uint8 array
        The pattern databases, one after the other.
    shifts : int64 array, shape (4, cells, patterns)
        By the move of a tile and the tile, how the index of each pattern changes.
    neighbors : int8 array, shape (cells, 4)
        The cell whose tile makes each move when the blank is on a cell; -1 for none.
    threshold, budget : int
        Largest f to follow; boards to generate before stopping.
    cells : int64 array, shape (cells,), changed in place
        The board; what stands on the blank's cell is not read.
    indices : int64 array, shape (patterns,), changed in place
        Into `entries`, of each pattern.
    ways, steps : int64 arrays of more than ``threshold + 1`` places, changed in place
        By depth the direction of the slide that is being tried, as a move code, and how many tiles
        it moves so far; all zero at first.
    report : int64 array, shape (REPORT_LENGTH,), changed in place
        The depth, counts of this call, least f over the threshold, and the blank's cell.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`; the slides to the goal are then ``ways`` and
        ``steps`` up to the depth.
    """
    patterns = indices.size
    depth = report[DEPTH]
    blank = report[BLANK]
    next_threshold = report[NEXT_THRESHOLD]
    generated = 0
    expanded = 0
    status = EXHAUSTED
    while True:
        way = ways[INDEX(depth)]
        # After the two directions of a line, or of both lines at the root, comes what is done.
        if way == DONE or (way == 2 and depth > 0 and ways[INDEX(depth - 1)] >= 2):
            if depth == 0:
                break
            depth -= 1
            continue
        cell = np.int64(neighbors[INDEX(blank), INDEX(way)])
        if cell < 0:
            for _ in range(steps[INDEX(depth)]):
                cell = np.int64(neighbors[INDEX(blank), INDEX(way ^ 1)])
                tile = cells[INDEX(cell)]
                cells[INDEX(blank)] = tile
                for pattern in range(patterns):
                    indices[pattern] += shifts[INDEX(way ^ 1), INDEX(tile), pattern]
                blank = cell
            steps[INDEX(depth)] = 0
            ways[INDEX(depth)] = way + 1
            continue
        if generated >= budget:
            status = OUT_OF_BUDGET
            break
        tile = cells[INDEX(cell)]
        cells[INDEX(blank)] = tile
        blank = cell
        steps[INDEX(depth)] += 1
        generated += 1
        estimate = 0
        for pattern in range(patterns):
            index = indices[pattern] + shifts[INDEX(way), INDEX(tile), pattern]
            indices[pattern] = index
        for pattern in range(patterns):
            estimate = max(estimate, np.int64(entries[INDEX(indices[pattern])]))
            if depth + 1 + estimate > threshold:
                break
        if depth + 1 + estimate > threshold:
            next_threshold = min(next_threshold, depth + 1 + estimate)
            continue
        depth += 1
        expanded += 1
        if estimate == 0:
            status = FOUND
            break
        # The other line's first direction.
        ways[INDEX(depth)] = 0 if way >= 2 else 2
        steps[INDEX(depth)] = 0
    report[DEPTH] = depth
    report[BLANK] = blank
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[NEXT_THRESHOLD] = next_threshold
    return status
