"""Hamming distance, how many tiles are not in their places, and what is made of it by mistake."""

from __future__ import annotations

from operator import getitem, ne

from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class Zero:
    """No estimate at all: with it A* becomes uniform-cost search."""

    def __init__(self, problem: Problem) -> None:
        del problem

    def __call__(self, state: State) -> int:
        return 0


class Hamming:
    """Hamming distance: how many tiles are not in their places.

    A move brings at most one tile to its place, so that no solution has fewer moves.
    """

    def __init__(self, problem: Problem) -> None:
        self._goal = problem.goal
        self._blank = problem.goal.index(0)

    def __call__(self, state: State) -> int:
        wrong_cells: int = sum(map(ne, state, self._goal))
        # One of them is the blank's, unless the blank is in its place.
        return wrong_cells - (state[self._blank] != 0)


class HammingBlank:
    """Hamming distance with the blank counted as if it were a tile: a widespread mistake.

    The last move brings a tile *and* the blank to their places. Before it two cells are wrong and
    one move is left: the estimate is one too high, though never more. A* may then miss the optimum
    by one. In this puzzle all paths between two boards are even or all are odd, so that it misses
    it by two or not at all: a mistake that, by luck, has no consequences.
    """

    def __init__(self, problem: Problem) -> None:
        self._goal = problem.goal

    def __call__(self, state: State) -> int:
        return sum(map(ne, state, self._goal))


class HammingDiagonal:
    """Misplaced cells plus |Δcolumn + Δrow| of each of them, the blank counted in both.

    As in a published greedy search. Two known mistakes are added up here: the blank counted as a
    tile (`HammingBlank`) and the sum taken before the absolute value (`Faulty`). Before the last
    move two cells are wrong and each is one step away from its place, which makes 4 for one move.
    """

    def __init__(self, problem: Problem) -> None:
        cells = range(len(problem.goal))
        # Row plus column; the difference of two such sums is Δrow + Δcolumn.
        diagonals = [sum(divmod(cell, problem.width)) for cell in cells]
        homes = {tile: cell for cell, tile in enumerate(problem.goal)}
        self._table = [
            [
                (cell != homes[tile]) + abs(diagonals[cell] - diagonals[homes[tile]])
                for tile in cells
            ]
            for cell in cells
        ]

    def __call__(self, state: State) -> int:
        return sum(map(getitem, self._table, state))
