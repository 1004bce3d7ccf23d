"""Few slides: building pattern databases, and a depth-first search under a threshold on f.

A slide moves the blank to any other cell of its row or column, and each tile that it passes by one
cell. It counts as one move whatever it moves, so that the blank belongs to the pattern, and the
estimate is the greatest of several pattern databases: a slide may move tiles of all of them. Two
slides along the same line are one, or undo each other: rows and columns take turns.
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
def flood_slides(entries, level, count, next_level, moved, weights, neighbors):
    """Make every slide that one level of the search has.

    Parameters
    ----------
    entries : uint8[cells ** pieces], changed in place
        By placement the distance, `UNREACHED` where none is known yet.
    level : uint32 array; the placements of this level: the first ``count`` entries
    next_level : uint32 array, changed in place; with room for every placement that there is
    moved : int; the distance of the next level
    weights : int64[pieces]; a placement's index is the sum of weight times cell over its pieces,
        the blank first: the powers of the number of cells
    neighbors : int8[cells, 4]
        The cell whose tile makes each move when the blank is on a cell; -1 for none.

    Returns
    -------
    int; placements of the next level
    """
    cells = neighbors.shape[0]
    pieces = weights.size
    weight_at = np.zeros(cells, dtype=np.int64)
    placed = np.empty(pieces, dtype=np.int64)
    found = 0
    for number in range(count):
        start = np.int64(level[number])
        rest = start
        for piece in range(pieces):
            placed[piece] = rest % cells
            rest //= cells
            if piece > 0:
                weight_at[placed[piece]] = weights[piece]
        for move in range(4):
            index = start
            blank = placed[0]
            while True:
                cell = np.int64(neighbors[blank, move])
                if cell < 0:
                    break
                # A tile that is passed comes to where the blank was.
                index += (weights[0] - weight_at[cell]) * (cell - blank)
                blank = cell
                if entries[INDEX(index)] == UNREACHED:
                    entries[INDEX(index)] = moved
                    next_level[found] = index
                    found += 1
        for piece in range(1, pieces):
            weight_at[placed[piece]] = 0
    return found


REPORT_LENGTH = 5
# Places in the report: moves made, in and out; nodes of the call; least f over the threshold so
# far, in and out; and the blank's cell
DEPTH, GENERATED, EXPANDED, NEXT_THRESHOLD, BLANK = range(REPORT_LENGTH)
DONE = 4  # a direction after the last one


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
    entries : uint8 array; the pattern databases, one after the other
    shifts : int64[4, cells, patterns]
        By the move of a tile and the tile, how the index of each pattern changes.
    neighbors : int8[cells, 4]
        The cell whose tile makes each move when the blank is on a cell; -1 for none.
    threshold, budget : int; largest f to follow; boards to generate before stopping
    cells : int64[cells], changed in place; the board; what stands on the blank's cell is not read
    indices : int64[patterns], changed in place; into `entries`, of each pattern
    ways, steps : int64 arrays of more than ``threshold + 1`` places, changed in place
        By depth the direction of the slide that is being tried, as a move code, and how many tiles
        it moves so far; all zero at first.
    report : int64[REPORT_LENGTH], changed in place
        The depth, counts of this call, least f over the threshold, and the blank's cell.

    Returns
    -------
    int; `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`; the slides to the goal are then ``ways`` and
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
