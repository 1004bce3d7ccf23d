"""Solving in this process."""

from __future__ import annotations

from functools import cached_property
from typing import Literal
from warnings import warn

from tilework.board import Board, BoardLike, goal_of
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.solvability import check_solvable
from tilework.core.search.limits import Limits
from tilework.core.solver.names import Algorithm, Heuristic
from tilework.core.solver.target import Target, TargetKind
from tilework.solution import Solution

Wanted = float | Literal["optimal", "any"]
"""The shortest solution, any, or one at most so much longer than is proved: 0.1 for a tenth."""


def solve(
    board: BoardLike,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
    *,
    target: Wanted = "optimal",
    seconds: float | None = None,
    algorithm: Algorithm | str = Algorithm.AUTO,
    heuristic: Heuristic | str = Heuristic.AUTO,
) -> Solution:
    """Find a solution and prove how short any may be.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text
    target : "optimal", "any" or float
        When to stop: with a proved shortest solution, with any, or with one at most so much longer
        than is proved, as a fraction from 0.
    seconds : float, optional
        The search ends after so long, with what it has by then. Without a limit the proof of a
        board of up to 36 cells may take years; larger ones, which have none, are improved for
        some ten seconds.
    algorithm, heuristic : str
        As ``tilework solve --algorithm`` has them; chosen for the board where left out.

    Returns
    -------
    Solution
        Its moves were replayed.

    Raises
    ------
    UnsolvableError
        If no moves lead to the goal; its ``explanation`` says why.
    TileworkError
        For a board, goal or option that cannot be.
    TypeError
        For None.
    """
    from tilework.core.solver.solve import solve as search

    start = Board.of(board)
    end = goal_of(goal, start)
    result = search(
        start,
        end,
        target=_target(target),
        limits=Limits(seconds=seconds),
        algorithm=Algorithm(algorithm),
        heuristic=Heuristic(heuristic),
    )
    return Solution(
        board=start,
        goal=end,
        moves=None if result.moves is None else to_letters(result.moves),
        lower_bound=result.lower_bound,
        algorithm=result.algorithm,
        nodes=result.statistics.generated,
        seconds=result.statistics.seconds,
    )


class Solver:
    """A board's shortest solution, found when it is first asked for.

    The names are those of Princeton's 8-puzzle assignment.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text

    Raises
    ------
    UnsolvableError
        If no moves lead from the board to the goal; it is a `ValueError`.
    TypeError
        For None.
    """

    def __init__(self, board: BoardLike, goal: BoardLike | GoalName = GoalName.BLANK_LAST) -> None:
        self._board = Board.of(board)
        self._goal = goal_of(goal, self._board)
        check_solvable(self._board, self._goal)

    def is_solvable(self) -> bool:
        """Return True: of a board that is not solvable there is no solver.

        .. deprecated:: 0.2
            Ask the board.
        """
        warn("ask the board: board.is_solvable()", DeprecationWarning, stacklevel=2)
        return True

    def moves(self) -> int:
        """Return the least number of moves."""
        return len(self._found)

    def solution(self) -> list[Board]:
        """Return the boards of a shortest solution, the first and the goal among them."""
        return list(self._found.boards())

    @cached_property
    def _found(self) -> Solution:
        return solve(self._board, self._goal)


def _target(wanted: Wanted) -> Target:
    if isinstance(wanted, str):
        return Target(TargetKind(wanted))
    return Target(TargetKind.GAP, wanted)
