"""What groups of tiles need in all: the least sum of even numbers that gives each its need.

See `tilework.core.solver.heuristics.tile_groups` for why that is a lower bound.
"""

from __future__ import annotations

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.distance import inverse
from tilework.core.solver.heuristics.tile_groups import Group
from tilework.core.solver.kernels.groups.cover import least_cover

_NODES = 20_000
"""Steps of the search for the least sum, over all groups."""

_ROWS, _COLUMNS = 0, 1

Need = tuple[list[int], int]
"""Items, and how much they must sum up to. An item is a tile's moves over its distance, up and
down (2 · tile) or to the left and right (2 · tile + 1)."""


def covered(board: Board, goal: Board, groups: list[Group]) -> int:
    """Return what the tiles need at least, together, beyond their Manhattan distances.

    Parameters
    ----------
    board, goal : Board
    groups : list of tiles and needs
        As `groups_in_need` returns them.
    """
    spent = np.zeros(1, dtype=np.int64)
    total = 0
    for part in _parts(_needs(board, goal, groups)):
        numbers = {item: number for number, item in enumerate(sorted(_items_of(part)))}
        part.sort(key=lambda need: (len(need[0]), -need[1]))
        items = np.zeros((len(part), max(len(of) for of, _ in part)), dtype=np.int64)
        for row, (of, _) in zip(items, part, strict=True):
            row[: len(of)] = [numbers[item] for item in of]
        lengths = np.array([len(of) for of, _ in part], dtype=np.int64)
        needs = np.array([need for _, need in part], dtype=np.int64)
        total += least_cover(items, lengths, needs, len(numbers), 0, _NODES, spent)
    return total


def _needs(board: Board, goal: Board, groups: list[Group]) -> list[Need]:
    starts, goals = inverse(board.cells), inverse(goal.cells)
    needs: list[Need] = []
    for tiles, need in groups:
        line = None
        if len(tiles) == 2:
            places = [(int(starts[tile]), int(goals[tile])) for tile in tiles]
            line = _line_conflict(places, board.width)
            if line is not None:
                # Tiles leave a row by a move up or down.
                needs.append(([2 * tile + line for tile in tiles], 2))
        if line is None or need > 2:
            needs.append(([2 * tile + axis for tile in tiles for axis in (0, 1)], need))
    return needs


def _line_conflict(places: list[tuple[int, int]], width: int) -> int | None:
    """Whether two tiles stand in their goal row or column the wrong way round; in which."""
    (start, goal), (other_start, other_goal) = places
    if (start < other_start) == (goal < other_goal):
        return None
    if len({cell // width for cell in (start, goal, other_start, other_goal)}) == 1:
        return _ROWS
    if len({cell % width for cell in (start, goal, other_start, other_goal)}) == 1:
        return _COLUMNS
    return None


def _parts(needs: list[Need]) -> list[list[Need]]:
    """Divide needs into those that have no items in common."""
    parts: list[list[Need]] = []
    for need in needs:
        own = set(need[0])
        joined = [part for part in parts if own & _items_of(part)]
        parts = [part for part in parts if part not in joined]
        parts.append([need, *(one for part in joined for one in part)])
    return parts


def _items_of(part: list[Need]) -> set[int]:
    return {item for items, _ in part for item in items}
