"""Determines the proof of a stored lower bound that has no slices.

The database stores only the number. Its proof follows from the board: distances and line conflicts
are quickly counted in plain Python. Beyond that, only groups of tiles on larger boards, or the
search around a near goal, can raise the bound. So the web can name a proof without compiled
kernels, and no table needs a column for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

import numpy as np

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof
from tilework.core.solver.kernels.constants import MAX_CELLS, MAX_GROUP_CELLS, MAX_NEARBY_MOVES


def find_bound_proof(board: Board, goal: Board, lower_bound: int) -> BoundProof:
    """Return the simplest proof of a lower bound, ``search`` if a search may have proved it."""
    manhattan = board.manhattan(goal)
    if lower_bound <= manhattan:
        return BoundProof.MANHATTAN
    # Ruling out the last threshold around a near goal raises the bound by two.
    maybe_searched = board.size.cells <= MAX_CELLS or lower_bound <= MAX_NEARBY_MOVES + 2
    if board.size.cells > MAX_GROUP_CELLS:
        return BoundProof.SEARCH if maybe_searched else BoundProof.LINEAR_CONFLICT
    if lower_bound <= manhattan + _conflicts(board, goal):
        return BoundProof.LINEAR_CONFLICT
    return BoundProof.SEARCH if maybe_searched else BoundProof.TILE_GROUPS


def _conflicts(board: Board, goal: Board) -> int:
    """Return two moves for each tile that must leave its goal line to let others pass."""
    targets = inverse(goal.cells)[board.cells]
    cells = np.arange(board.cells.size)
    tiles = board.cells != 0
    moves = 0
    for line, position in ((0, 1), (1, 0)):
        start, end = np.divmod(cells, board.width), np.divmod(targets, board.width)
        lines: dict[int, list[int]] = defaultdict(list)
        # Cells of a line are in order, along rows and columns alike.
        for cell in np.flatnonzero(tiles & (start[line] == end[line])):
            lines[int(start[line][cell])].append(int(end[position][cell]))
        moves += sum(2 * (len(ends) - _increasing_length(ends)) for ends in lines.values())
    return moves


def _increasing_length(numbers: list[int]) -> int:
    tails: list[int] = []
    for number in numbers:
        position = bisect_left(tails, number)
        tails[position : position + 1] = [number]
    return len(tails)
