"""The next move of a board."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.board import Board, BoardLike, goal_of
from tilework.core.puzzle import hint as core
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import to_letters


@dataclass(frozen=True, slots=True)
class Hint:
    """Which tile to move next, and what is known of the way to the goal.

    Attributes
    ----------
    tile : int or None
        None where the board is solved, or no way is known.
    direction : str or None
        Which way it goes: ``left``, ``right``, ``up`` or ``down``.
    moves : str or None
        The whole way, as in a `Solution`; its first move is the hint. Replayed.
    lower_bound : int
        No way is shorter; proved.
    """

    tile: int | None
    direction: str | None
    moves: str | None
    lower_bound: int

    @classmethod
    def of(cls, hint: core.Hint) -> Hint:
        """Return a hint whose moves were replayed, in the words of programs."""
        moves = None if hint.moves is None else to_letters(hint.moves)
        return cls(hint.tile, hint.direction, moves, hint.lower_bound)

    @property
    def is_solved(self) -> bool:
        """Whether there is nothing left to do."""
        return self.moves == ""

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved that no way is shorter."""
        return self.moves is not None and len(self.moves) == self.lower_bound


def hint(board: BoardLike, goal: BoardLike | GoalName = GoalName.BLANK_LAST) -> Hint:
    """Say which tile to move next.

    Up to 16 cells the move begins a shortest solution; on larger boards one that is found in
    seconds.

    Parameters
    ----------
    board : Board, or its text, tiles or rows
    goal : Board or its name or text

    Raises
    ------
    UnsolvableError
        If no moves lead to the goal; its ``explanation`` says why.
    TileworkError
        For a board or goal that cannot be.
    TypeError
        For None.
    """
    from tilework.core.solver.solve import find_hint

    start = Board.of(board)
    return Hint.of(find_hint(start, goal_of(goal, start)))
