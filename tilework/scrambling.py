"""Drawing boards."""

from __future__ import annotations

from tilework.board import Board, BoardLike
from tilework.core.formats.board_text import read_goal
from tilework.core.puzzle import scramble as core
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import GoalName


def scramble(
    width: int,
    height: int | None = None,
    *,
    seed: int | None = None,
    moves: int | None = None,
    goal: BoardLike | GoalName = GoalName.BLANK_LAST,
) -> Board:
    """Draw a random board from which the goal can be reached.

    Parameters
    ----------
    width, height : int
        In cells; a square where no height is given.
    seed : int, optional
        From 0; the same seed gives the same board.
    moves : int, optional
        Walk so many random moves from the goal. Without it, every solvable board is equally likely.
    goal : Board or its name or text

    Raises
    ------
    TileworkError
        For a size, seed, number of moves or goal that cannot be.
    """
    size = Size(width, width if height is None else height)
    end = Board.of(read_goal(goal, size) if isinstance(goal, str) else goal)
    return Board.of(core.scramble(size, end, seed, moves))
