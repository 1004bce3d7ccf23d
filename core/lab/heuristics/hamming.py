"""Hamming distance, and common mistakes in computing it."""

from __future__ import annotations

from operator import getitem, ne

from tilework.core.lab.problem import Problem
from tilework.core.lab.result import State


class Zero:
    """h = 0, which turns A* into uniform-cost search."""

    def __init__(self, problem: Problem) -> None:
        del problem

    def __call__(self, state: State) -> int:
        return 0


class Hamming:
    """Hamming distance: the number of misplaced tiles.

    Each move puts at most one tile in place, so it never overestimates.
    """

    def __init__(self, problem: Problem) -> None:
        self._goal = problem.goal
        self._blank = problem.goal.index(0)

    def __call__(self, state: State) -> int:
        misplaced: int = sum(map(ne, state, self._goal))
        # The blank's goal cell is counted unless the blank is in place.
        return misplaced - (state[self._blank] != 0)


class HammingBlank:
    """Hamming distance with the blank counted as a tile, a widespread mistake.

    The last move puts a tile *and* the blank in place. Before it, two cells are wrong and one move
    is left: the heuristic is one too high, and never off by more. A* may then miss the optimum by
    one. But all paths between two boards have the same parity, so it would have to miss it by two:
    by luck, the mistake has no consequences.
    """

    def __init__(self, problem: Problem) -> None:
        self._goal = problem.goal

    def __call__(self, state: State) -> int:
        return sum(map(ne, state, self._goal))


class HammingDiagonal:
    """Misplaced cells plus |Δcolumn + Δrow| of each of them, including the blank.

    Used by a published greedy search. It combines two common mistakes: counting the blank as a tile
    (`HammingBlank`) and adding before taking the absolute value (`Faulty`). One move before the
    goal two cells are wrong and each is one step from its place, which gives 4.
    """

    def __init__(self, problem: Problem) -> None:
        cells = range(len(problem.goal))
        # The difference of two sums of row and column is Δrow + Δcolumn.
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
