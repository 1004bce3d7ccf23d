"""Slides: building pattern databases, and depth-first search with a threshold on f.

A slide moves the blank to another cell of its row or column, and each tile that it passes by one
cell. A slide can move tiles of several patterns, so the blank belongs to each pattern, and the
estimate is the maximum of several pattern databases. Two consecutive slides along the same line are
equivalent to one or none, so rows and columns alternate.
"""

import numpy as np

from tilework.core.compiling import int8, int64, kernel, types, uint8, uint32
from tilework.core.solver.kernels.constants import (
    BYTES,
    EXHAUSTED,
    FOUND,
    INDEX,
    OUT_OF_BUDGET,
    TABLES,
    UNREACHED,
)


@kernel(
    int64(
        uint8[::1], uint32[::1], int64, uint32[::1], int64,
        types.Array(int64, 1, "C", readonly=True), types.Array(int8, 2, "C", readonly=True),
    )
)  # fmt: skip
def flood_slides(entries, level, count, next_level, distance, weights, neighbors):
    """Find the placements of the next level by making all slides from those of this level.

    Parameters
    ----------
    entries : uint8[cells ** digits], changed in place
        The distance of each placement; `UNREACHED` if it is not known yet.
    level : uint32 array; the first ``count`` entries are the placements of this level
    next_level : uint32 array, changed in place; with room for all placements
    distance : int; the distance of the next level
    weights : int64[digits]; the weights of the cells of the blank and the tiles in an index
    neighbors : int8[cells, 4]; see `tilework.core.puzzle.moves.neighbor_table`

    Returns
    -------
    int; number of placements of the next level
    """
    cells = neighbors.shape[0]
    digits = weights.size
    tile_weights = np.zeros(cells, dtype=np.int64)
    placement = np.empty(digits, dtype=np.int64)
    new_placements = 0
    for number in range(count):
        start = np.int64(level[number])
        remaining = start
        for digit in range(digits):
            placement[digit] = remaining % cells
            remaining //= cells
            if digit > 0:
                tile_weights[placement[digit]] = weights[digit]
        for move in range(4):
            index = start
            blank = placement[0]
            while True:
                cell = np.int64(neighbors[blank, move])
                if cell < 0:
                    break
                # A passed tile moves to the blank's cell.
                index += (weights[0] - tile_weights[cell]) * (cell - blank)
                blank = cell
                if entries[INDEX(index)] == UNREACHED:
                    entries[INDEX(index)] = distance
                    next_level[new_placements] = index
                    new_placements += 1
        for digit in range(1, digits):
            tile_weights[placement[digit]] = 0
    return new_placements


REPORT_LENGTH = 5
# Indices in the report: depth, nodes generated and expanded by the call, minimum f above the
# threshold so far, and the blank's cell
DEPTH, GENERATED, EXPANDED, NEXT_THRESHOLD, BLANK = range(REPORT_LENGTH)
NO_DIRECTION = 4  # all directions have been tried


@kernel(
    int64(
        BYTES, TABLES, types.Array(int8, 2, "C", readonly=True), int64, int64,
        int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],
    )
)  # fmt: skip
def search_slides(
    entries, shifts, neighbors, threshold, budget, cells, indices, directions, steps, report
):
    """Continue a search for a path of at most ``threshold`` slides to the goal.

    Parameters
    ----------
    entries : uint8 array; the pattern databases, one after another
    shifts : int64[4, cells, patterns]; the change of each pattern's index by move and tile
    neighbors : int8[cells, 4]; see `tilework.core.puzzle.moves.neighbor_table`
    threshold, budget : int; largest f to search; maximum number of boards to generate
    cells : int64[cells], changed in place; the board; the blank's cell is not read
    indices : int64[patterns], changed in place; each pattern's index in `entries`
    directions, steps : int64 arrays longer than ``threshold + 1``, changed in place
        By depth, the direction of the current slide, as a move code, and the number of tiles that
        it has moved; initially all zero.
    report : int64[REPORT_LENGTH], changed in place

    Returns
    -------
    int; `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`; the slides to the goal are then ``directions`` and
        ``steps`` up to the depth
    """
    patterns = indices.size
    depth = report[DEPTH]
    blank = report[BLANK]
    next_threshold = report[NEXT_THRESHOLD]
    generated = 0
    expanded = 0
    status = EXHAUSTED
    while True:
        direction = directions[INDEX(depth)]
        # Both directions along a line, or all four at the root, have been tried.
        if direction == NO_DIRECTION or (
            direction == 2 and depth > 0 and directions[INDEX(depth - 1)] >= 2
        ):
            if depth == 0:
                break
            depth -= 1
            continue
        cell = np.int64(neighbors[INDEX(blank), INDEX(direction)])
        if cell < 0:
            for _ in range(steps[INDEX(depth)]):
                cell = np.int64(neighbors[INDEX(blank), INDEX(direction ^ 1)])
                tile = cells[INDEX(cell)]
                cells[INDEX(blank)] = tile
                for pattern in range(patterns):
                    indices[pattern] += shifts[INDEX(direction ^ 1), INDEX(tile), pattern]
                blank = cell
            steps[INDEX(depth)] = 0
            directions[INDEX(depth)] = direction + 1
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
            index = indices[pattern] + shifts[INDEX(direction), INDEX(tile), pattern]
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
        # Start with the first direction of the other line.
        directions[INDEX(depth)] = 0 if direction >= 2 else 2
        steps[INDEX(depth)] = 0
    report[DEPTH] = depth
    report[BLANK] = blank
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[NEXT_THRESHOLD] = next_threshold
    return status
