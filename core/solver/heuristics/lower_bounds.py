"""Lower bounds from Manhattan distance, linear conflicts and small groups of tiles.

Groups are tiles that block each other.
If all tiles but a few are ignored, the number of moves that these tiles need can be computed
exactly. Usually it is the sum of their Manhattan distances, but some groups need two, four or six
more moves. Each tile makes an even number of extra moves, so the minimum sum of even numbers, one
per tile, that satisfies all groups is a lower bound on the extra moves of all tiles.

Notes
-----
*Proof.* For any solution, let x(t) be the number of moves of tile t beyond its Manhattan distance.
It is even, because each move changes a tile's distance by one. Remove all moves of tiles outside a
group from the solution. The remaining moves are legal for the group's tiles alone, because the
blank reached each free cell without passing any of them. So the sum of x over a group is at least
the group's need: x satisfies all groups, and its total is at least the minimum. If two tiles in
their goal row are in the wrong order, one of them must leave the row; so vertical and horizontal
moves are counted separately, each an even number beyond its part of the distance. Linear conflicts
are then groups of two tiles in one line, and the bound is never below theirs.

Felner, Korf, Hanan, "Additive pattern database heuristics", JAIR 22, 2004, describe dynamically
partitioned databases of pairs and triples, and the covering of their needs. Here there are no
tables: groups of up to six tiles are found by bidirectional search on the board. It considers the
blank of start and goal, so the groups include corner tiles and last moves (Korf, Taylor, "Finding
optimal solutions to the twenty-four puzzle", AAAI 1996).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof
from tilework.core.search.limits import Limits, search_clock
from tilework.core.solver.kernels import line_conflicts
from tilework.core.solver.kernels.constants import MAX_GROUP_CELLS
from tilework.core.solver.kernels.minimum_cover import find_minimum_cover
from tilework.core.solver.kernels.tile_groups import (
    MAX_BITS,
    MAX_GROUPS,
    MAX_TILES,
    find_groups,
)

PLAIN_CELLS = 36  # largest board for which kernels are fast enough before they are compiled


@dataclass(frozen=True, slots=True)
class Bound:
    value: int
    proof: BoundProof  # the simplest proof of this value


def lower_bound(board: Board, goal: Board, *, conflicts: bool = True) -> int:
    """Return the Manhattan distance, plus linear conflicts if requested; takes linear time.

    All solutions have the parity of this bound, since each move changes the distance by one.

    Hansson, Mayer, Yung, "Criticizing solutions to relaxed models yields powerful admissible
    heuristics", 1992.
    """
    is_small = board.size.cells <= PLAIN_CELLS
    distance = line_conflicts.distance.call_on_small_input if is_small else line_conflicts.distance
    lines = np.empty(sum(board.size), dtype=np.int64)
    return int(sum(distance(board.cells, inverse(goal.cells), board.width, conflicts, lines)))


def distance_bound(board: Board, goal: Board, *, conflicts: bool = True) -> Bound:
    """Return the distance bound and its proof."""
    manhattan = lower_bound(board, goal, conflicts=False)
    if conflicts and board != goal and (with_conflicts := lower_bound(board, goal)) > manhattan:
        return Bound(with_conflicts, BoundProof.LINEAR_CONFLICT)
    return Bound(manhattan, BoundProof.MANHATTAN)


def best_lower_bound(board: Board, goal: Board, limits: Limits | None = None) -> Bound:
    """Return the greatest of several lower bounds."""
    best = distance_bound(board, goal)
    if board == goal or board.size.cells > MAX_GROUP_CELLS:
        return best
    groups = cover_needs(board, goal, find_groups_in_need(board, goal, limits or Limits()))
    value = lower_bound(board, goal, conflicts=False) + groups
    return Bound(value, BoundProof.TILE_GROUPS) if value > best.value else best


_MAX_COVER_NODES = 20_000  # of the search for the minimum sum, for all groups together
_ROWS, _COLUMNS = 0, 1

# Items and their minimum sum. An item is a tile's extra moves, vertical (2 · tile) or horizontal
# (2 · tile + 1).
Need = tuple[list[int], int]


def cover_needs(board: Board, goal: Board, groups: list[Group]) -> int:
    """Return a lower bound on the tiles' moves beyond their Manhattan distances."""
    node_count = np.zeros(1, dtype=np.int64)
    total = 0
    for component in _split_components(_list_needs(board, goal, groups)):
        numbers = {item: number for number, item in enumerate(sorted(_collect_items(component)))}
        component.sort(key=lambda need: (len(need[0]), -need[1]))
        lengths = np.array([len(items) for items, _ in component], dtype=np.int64)
        table = np.zeros((len(component), lengths.max()), dtype=np.int64)
        for row, (items, _) in zip(table, component, strict=True):
            row[: len(items)] = [numbers[item] for item in items]
        needs = np.array([need for _, need in component], dtype=np.int64)
        total += find_minimum_cover(
            table, lengths, needs, len(numbers), 0, _MAX_COVER_NODES, node_count
        )
    return total


def _list_needs(board: Board, goal: Board, groups: list[Group]) -> list[Need]:
    starts, goals = inverse(board.cells), inverse(goal.cells)
    needs: list[Need] = []
    for tiles, need in groups:
        line = None
        if len(tiles) == 2:
            cells = [(int(starts[tile]), int(goals[tile])) for tile in tiles]
            line = _line_conflict(cells, board.width)
            if line is not None:
                # Tiles leave a row by a vertical move.
                needs.append(([2 * tile + line for tile in tiles], 2))
        if line is None or need > 2:
            needs.append(([2 * tile + axis for tile in tiles for axis in (0, 1)], need))
    return needs


def _line_conflict(cells: list[tuple[int, int]], width: int) -> int | None:
    """Return the axis of a linear conflict between two tiles, if there is one."""
    (start, goal), (other_start, other_goal) = cells
    if (start < other_start) == (goal < other_goal):
        return None
    if len({cell // width for cell in (start, goal, other_start, other_goal)}) == 1:
        return _ROWS
    if len({cell % width for cell in (start, goal, other_start, other_goal)}) == 1:
        return _COLUMNS
    return None


def _split_components(needs: list[Need]) -> list[list[Need]]:
    """Split needs into components that share no items."""
    components: list[list[Need]] = []
    for need in needs:
        items = set(need[0])
        touching = [component for component in components if items & _collect_items(component)]
        components = [component for component in components if component not in touching]
        components.append([need, *(other for component in touching for other in component)])
    return components


def _collect_items(needs: list[Need]) -> set[int]:
    return {item for items, _ in needs for item in items}


Words = NDArray[np.int64]
DEFAULT_NODES = 200_000  # states to search, in about 0.1 s
_CHUNK = 100_000  # states between two checks of the limits
_LEVELS = 12
_SMALL_CELLS = 64  # up to this many cells, regions of the blank may have any shape
_PAIR = 2

# Tiles, and the number of moves they need beyond their distances
Group = tuple[tuple[int, ...], int]


def find_groups_in_need(board: Board, goal: Board, limits: Limits) -> list[Group]:
    """Find groups of tiles that need more moves than their distances."""
    started = search_clock()
    width, height = board.size
    max_tiles = _max_tiles(board)
    if max_tiles < _PAIR:
        return []
    starts = inverse(board.cells).astype(np.int64)
    goals = inverse(goal.cells).astype(np.int64)
    tiles, slack = _sort_by_slack(board, starts, goals)
    state = np.array([0, 0, _PAIR, max_tiles] + [-1] * MAX_TILES, dtype=np.int64)
    members = np.zeros((MAX_GROUPS, MAX_TILES), dtype=np.int64)
    sizes, needs = np.zeros((2, MAX_GROUPS), dtype=np.int64)
    remaining = DEFAULT_NODES if limits.nodes is None else limits.nodes
    may_meet = _find_meeting_paths(starts[tiles], goals[tiles], width)
    while remaining > 0 and limits.check(search_clock() - started) is None:
        budget = min(remaining, _CHUNK)
        count = find_groups(
            starts[tiles], goals[tiles], slack, may_meet, board.blank, goal.blank, width, height,
            _bits(board), _LEVELS, budget, members, sizes, needs, state,
        )  # fmt: skip
        remaining -= count
        if count < budget:
            break
    return [
        (tuple(tiles[members[group, : sizes[group]]].tolist()), int(needs[group]))
        for group in range(state[0])
    ]


def _max_tiles(board: Board) -> int:
    """Return the number of tiles of the largest group; their cells must fit into a word."""
    max_tiles = min(MAX_TILES, MAX_BITS // _bits(board) - 1)
    if board.size.cells > _SMALL_CELLS:
        max_tiles = min(max_tiles, min(board.size) - 1)
    return max_tiles


def _bits(board: Board) -> int:
    return board.size.cells.bit_length()


def _sort_by_slack(board: Board, starts: Words, goals: Words) -> tuple[Words, Words]:
    """Return the tiles in order of increasing slack, and their slacks."""
    from_row, from_column = np.divmod(starts, board.width)
    to_row, to_column = np.divmod(goals, board.width)
    slack = np.minimum(abs(from_row - to_row), abs(from_column - to_column))
    for row, column in ((from_row, from_column), (to_row, to_column)):
        slack = np.minimum(slack, abs(row - row[0]) + abs(column - column[0]))
    tiles = 1 + np.argsort(slack[1:], kind="stable")
    return tiles, slack[tiles].astype(np.int64)


def _find_meeting_paths(starts: Words, goals: Words, width: int) -> NDArray[np.bool_]:
    """Return for each pair of tiles whether their shortest paths come within one cell."""
    may_meet = np.ones((starts.size, starts.size), dtype=np.bool_)
    for start, goal in zip(np.divmod(starts, width), np.divmod(goals, width), strict=True):
        low, high = np.minimum(start, goal), np.maximum(start, goal)
        may_meet &= (low[:, np.newaxis] <= high + 1) & (low <= high[:, np.newaxis] + 1)
    return may_meet
