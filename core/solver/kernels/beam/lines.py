"""Children of a beam's boards, estimated with Manhattan distance and linear conflicts.

What a board brings along, in rows beside those of `tilework.core.solver.kernels.beam.beam`:

``sums``  int32[width, 2]   its distance, and its conflicts in moves

A slide changes one tile's distance, and the conflicts of one line at most; see
`tilework.core.solver.kernels.depth_first.lines`.
"""

import numpy as np

from tilework.core.compiling import int32, kernel, types
from tilework.core.solver.kernels.beam.beam import COUNT, GOAL, MADE, ORIGINS, ROWS, is_new, key_of
from tilework.core.solver.kernels.constants import BYTES, INDEX, OPEN_WORDS, TABLE, WORDS
from tilework.core.solver.kernels.line_conflicts import conflicts_of, tile_on

SUMS = types.Array(int32, 2, "C")


@kernel(
    types.void(
        WORDS, WORDS, WORDS, BYTES, TABLE, ROWS, SUMS, WORDS,
        types.int64, types.int64, types.int64, types.int64,
        OPEN_WORDS, OPEN_WORDS, ORIGINS, SUMS, OPEN_WORDS,
    )
)  # fmt: skip
def expand_lines(
    goal_rows, goal_columns, ways, legal, zobrist, boards, sums, hashes, first, last, room, floor,
    table, keys, origins, found, report,
):  # fmt: skip
    """Make candidates of the children of some boards.

    Parameters
    ----------
    goal_rows, goal_columns : int64 arrays, shape (cells,); by tile, where it belongs
    sums : int32 array; see the module
    found : int32 array, shape (candidates, 2); the sums of each candidate
    ways, legal, zobrist, boards, hashes, first, last, room, floor, table, keys, origins, report
        As in `tilework.core.solver.kernels.beam.patterns.expand_patterns`.
    """
    cells = goal_rows.size
    width = ways[0]
    height = cells // width
    tails = np.empty(max(width, height), dtype=np.int64)
    count = report[COUNT]
    for row in range(first, last):
        at = INDEX(row)
        board = boards[at]
        blank = np.int64(board[INDEX(cells)])
        moves = np.int64(legal[INDEX(blank)]) & ~np.int64(board[INDEX(cells + 1)])
        for move in range(4):
            if (moves >> move) & 1 == 0:
                continue
            report[MADE] += 1
            source = blank + ways[INDEX(move)]
            tile = INDEX(board[INDEX(source)])
            # The tile slides from one parallel line to the next; only one can be its own.
            if move < 2:
                across, along = goal_rows, goal_columns
                line_from, line_to = source // width, blank // width
                start, stride, length = across[tile] * width, 1, width
            else:
                across, along = goal_columns, goal_rows
                line_from, line_to = source % width, blank % width
                start, stride, length = across[tile], width, height
            line = across[tile]
            distance = np.int64(sums[at, 0])
            distance += 1 if abs(line_to - line) > abs(line_from - line) else -1
            conflicts = np.int64(sums[at, 1])
            if line in (line_from, line_to):
                conflicts -= conflicts_of(
                    tile_on, board, blank, across, along, line, start, stride, length, tails
                )
                board[INDEX(blank)] = tile
                board[INDEX(source)] = 0
                conflicts += conflicts_of(
                    tile_on, board, source, across, along, line, start, stride, length, tails
                )
                board[INDEX(source)] = tile
                board[INDEX(blank)] = 0
            if distance + conflicts > room:
                continue
            if distance == 0:
                report[GOAL] = row << 2 | move
                return
            state = hashes[at] ^ zobrist[tile, INDEX(source)] ^ zobrist[tile, INDEX(blank)]
            if not is_new(table, state):
                continue
            keys[INDEX(count)] = key_of(distance + conflicts, floor, state)
            origins[INDEX(count)] = row << 2 | move
            found[INDEX(count), 0] = distance
            found[INDEX(count), 1] = conflicts
            count += 1
    report[COUNT] = count
