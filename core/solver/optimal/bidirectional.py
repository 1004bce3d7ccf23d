"""Bidirectional breadth-first search in plain Python, for boards that are small or near their goal.

It imports neither NumPy nor Numba, which take longer to load than it takes to search. The lab's
search of this name, which counts and records its steps, needs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class ShortestSolution(NamedTuple):
    letters: str  # of the tiles that move
    nodes: int  # boards generated


_Parents = dict[tuple[int, ...], tuple[int, ...] | None]


def bidirectional_search(
    start: Sequence[int], goal: Sequence[int], width: int, max_nodes: int
) -> ShortestSolution | None:
    """Return a shortest solution; None if there is none, or not within the number of nodes.

    Parameters
    ----------
    start, goal : sequence of int
        The tiles, row by row, 0 for the blank.
    width : int
    max_nodes : int
        Nodes to generate at most, up to the end of a level.

    Notes
    -----
    Pohl, "Bi-directional Search", Machine Intelligence 6, 1971. Each step searches one more level
    from the side with fewer boards. All boards within that many moves of a side are known then, so
    that the first board known to both is on a shortest path.
    """
    neighbors = _make_neighbors(len(start), width)
    parents: list[_Parents] = [{tuple(start): None}, {tuple(goal): None}]
    levels = [list(parents[0]), list(parents[1])]
    nodes, meeting = 2, tuple(start) if tuple(start) == tuple(goal) else None
    while meeting is None:
        side = 0 if len(levels[0]) <= len(levels[1]) else 1
        if not levels[side] or nodes > max_nodes:
            return None
        known, others, level = parents[side], parents[1 - side], []
        for board in levels[side]:
            blank = board.index(0)
            for cell in neighbors[blank]:
                low, high = (cell, blank) if cell < blank else (blank, cell)
                child = (
                    *board[:low], board[high], *board[low + 1 : high], board[low],
                    *board[high + 1 :],
                )  # fmt: skip
                if child not in known:
                    known[child] = board
                    level.append(child)
                    if child in others:
                        meeting = child
        nodes += len(level)
        levels[side] = level
    path = [*reversed(_trace(parents[0], meeting)), *_trace(parents[1], meeting)[1:]]
    blanks = [board.index(0) for board in path]
    names = {1: "L", -1: "R", width: "U", -width: "D"}
    steps = [after - before for before, after in pairwise(blanks)]
    return ShortestSolution("".join(names[step] for step in steps), nodes)


def _make_neighbors(cells: int, width: int) -> list[list[int]]:
    neighbors = []
    for cell in range(cells):
        column = cell % width
        near = [cell - width, cell + width]
        near += [cell - 1] * (column > 0) + [cell + 1] * (column < width - 1)
        neighbors.append([other for other in near if 0 <= other < cells])
    return neighbors


def _trace(parents: _Parents, board: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the boards from one to the root of its side."""
    path, parent = [board], parents[board]
    while parent is not None:
        path.append(parent)
        parent = parents[parent]
    return path
