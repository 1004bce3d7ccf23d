"""Hints for the next move."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.board import Board, BoardLike, resolve_goal
from tilework.core.puzzle import hint as core
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import to_letters


@dataclass(frozen=True, slots=True)
class Hint:
    """The next tile to move, and the solution it belongs to.

    Attributes
    ----------
    tile : int or None
        None if the board is solved or no solution is known.
    direction : str or None
        ``left``, ``right``, ``up`` or ``down``.
    moves : str or None
        The complete solution, which starts with the hint; replayed.
    lower_bound : int
        Proven lower bound on the length of any solution.
    """

    tile: int | None
    direction: str | None
    moves: str | None
    lower_bound: int

    @property
    def is_solved(self) -> bool:
        """Whether the board is already solved."""
        return self.moves == ""

    @property
    def is_optimal(self) -> bool:
        """Whether the solution is proven optimal."""
        return self.moves is not None and len(self.moves) == self.lower_bound


def make_hint(hint: core.Hint) -> Hint:
    """Convert a hint whose moves have been replayed."""
    moves = None if hint.moves is None else to_letters(hint.moves)
    return Hint(hint.tile, hint.direction, moves, hint.lower_bound)


def hint(board: BoardLike, goal: BoardLike | GoalName = GoalName.BLANK_LAST) -> Hint:
    """Return the next tile to move.

    On boards of up to 16 cells, the move is the first of a shortest solution. On larger boards, it
    is the first of a good solution that is found within seconds.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text

    Raises
    ------
    UnsolvableError
        If the goal cannot be reached; its ``explanation`` says why.
    TileworkError
        For an invalid board or goal.
    TypeError
        For None.
    """
    from tilework.core.solver.solve import find_hint

    start = Board.of(board)
    return make_hint(find_hint(start, resolve_goal(goal, start.size)))
