"""A lower bound from small groups of tiles that get in each other's way.

Think all tiles away but a few: the moves these need at least can be found exactly. Mostly it is
their Manhattan distances, but some groups need two, four or six moves more. Each tile makes an even
number of moves more than its distance, so the least sum of even numbers, one for each tile, that
gives every group what it needs is a lower bound on what all tiles need more.

Notes
-----
*Proof.* Of any solution, let x(t) be the moves of tile t over its Manhattan distance: an even
number, as each move changes a tile's distance by one. Leave out of the solution all moves of tiles
not in a group: what remains are moves of the group's tiles, to free cells where the blank, which
went there over cells without any of them, can be. So the sum of x over a group is at least what the
group needs by itself; the x satisfy all groups at once, and their sum is at least the least one
that does. Two tiles that stand in their goal row the wrong way round make one of them leave the
row; so the moves up and down, and those to the left and right, are told apart, each again an even
number over its part of the distance. With that, linear conflicts are the groups of two in one line:
the bound is never below theirs.

Felner, Korf, Hanan, "Additive pattern database heuristics", JAIR 22, 2004: dynamically partitioned
databases of pairs and triples, and the cover of what they need. Here there are no tables: the
groups are searched for on the board, up to six tiles and from both ends, and take the blank of
start and goal into account, so that they include corner tiles and last moves (Korf, Taylor,
"Finding optimal solutions to the twenty-four puzzle", AAAI 1996).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.distance import inverse
from tilework.core.search.clock import search_clock
from tilework.core.search.limits import Limits
from tilework.core.solver.kernels.groups.excess import MOST_BITS, MOST_TILES
from tilework.core.solver.kernels.groups.finding import MOST_GROUPS, find_groups

Words = NDArray[np.int64]

NODES = 200_000
"""States that are looked at where no limit is given: about a tenth of a second."""

_AT_ONCE = 100_000
"""States between two looks at the limits."""

_LEVELS = 12

_SMALL = 64
"""Cells of boards on which regions of the blank are followed wherever they go."""

_PAIR = 2

Group = tuple[tuple[int, ...], int]
"""Tiles by number, and the moves they need beyond their distances."""


def groups_in_need(board: Board, goal: Board, limits: Limits) -> list[Group]:
    """Look for groups of tiles that need more moves than their distances.

    The same ones each time where time and cancellation do not end it.

    Parameters
    ----------
    board, goal : Board
        Of one size; the goal must be reachable.
    limits : Limits
        ``nodes`` are states of groups; `NODES` by default.
    """
    began = search_clock()
    width, height = board.size
    most = _most_tiles(board)
    if most < _PAIR:
        return []
    starts = inverse(board.cells).astype(np.int64)
    goals = inverse(goal.cells).astype(np.int64)
    tiles, slack = _likely_tiles(board, starts, goals)
    state = np.array([0, 0, _PAIR, most] + [-1] * MOST_TILES, dtype=np.int64)
    members = np.zeros((MOST_GROUPS, MOST_TILES), dtype=np.int64)
    sizes, needs = np.zeros((2, MOST_GROUPS), dtype=np.int64)
    left = NODES if limits.nodes is None else limits.nodes
    touches = _touching(starts[tiles], goals[tiles], width)
    while left > 0 and limits.reached(search_clock() - began) is None:
        budget = min(left, _AT_ONCE)
        spent = find_groups(
            starts[tiles],
            goals[tiles],
            slack,
            touches,
            board.blank,
            goal.blank,
            width,
            height,
            _bits(board),
            _LEVELS,
            budget,
            members,
            sizes,
            needs,
            state,
        )
        left -= spent
        if spent < budget:
            break
    return [
        (tuple(tiles[members[one, : sizes[one]]].tolist()), int(needs[one]))
        for one in range(state[0])
    ]


def _most_tiles(board: Board) -> int:
    """Return how many tiles a group of the board may have: their cells fit one word."""
    fit = MOST_BITS // _bits(board) - 1
    if board.size.cells > _SMALL:
        fit = min(fit, min(board.size) - 1)
    return min(fit, MOST_TILES)


def _bits(board: Board) -> int:
    return board.size.cells.bit_length()


def _likely_tiles(board: Board, starts: Words, goals: Words) -> tuple[Words, Words]:
    """Return the tiles whose groups are tried, those with the least slack first, and the slacks.

    A tile with only one shortest way has none, nor has one next to the blank, at the start or in
    the goal, where other tiles may shut it in.
    """
    from_row, from_column = np.divmod(starts, board.width)
    to_row, to_column = np.divmod(goals, board.width)
    slack = np.minimum(abs(from_row - to_row), abs(from_column - to_column))
    for row, column in ((from_row, from_column), (to_row, to_column)):
        slack = np.minimum(slack, abs(row - row[0]) + abs(column - column[0]))
    tiles = 1 + np.argsort(slack[1:], kind="stable")
    return tiles, slack[tiles].astype(np.int64)


def _touching(starts: Words, goals: Words, width: int) -> NDArray[np.bool_]:
    """By two tiles whether their shortest ways come within a cell of each other."""
    near = np.ones((starts.size, starts.size), dtype=np.bool_)
    for one, other in zip(np.divmod(starts, width), np.divmod(goals, width), strict=True):
        low, high = np.minimum(one, other), np.maximum(one, other)
        near &= (low[:, np.newaxis] <= high + 1) & (low <= high[:, np.newaxis] + 1)
    return near
