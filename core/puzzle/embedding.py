"""A board as a part of a larger one."""

from __future__ import annotations

from tilework.core.errors import BoardError
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import named_goal


def embed(board: Board, size: Size, goal_name: str) -> Board:
    """Return a board of a larger size whose tiles outside a part are on their goal cells.

    The moves that solve `board` solve the result, too. So the cell of the blank in both goals is
    the same, which leaves one place for the part.
    """
    inner, outer = named_goal(goal_name, board.size), named_goal(goal_name, size)
    inner_row, inner_column = divmod(inner.blank, board.width)
    outer_row, outer_column = divmod(outer.blank, size.width)
    top, left = outer_row - inner_row, outer_column - inner_column
    bottom, right = top + board.height, left + board.width
    if min(top, left) < 0 or bottom > size.height or right > size.width:
        raise BoardError(
            "does-not-fit",
            "a {part} board does not fit into a {size} board with the goal {goal}: the blank of "
            "both goals has to be on the same cell",
            part=board.size,
            size=size,
            goal=goal_name,
        )
    grid = outer.cells.reshape(size.height, size.width).copy()
    part = grid[top:bottom, left:right]
    goal_cells = inverse(inner.cells)[board.cells]
    part[:] = part.reshape(-1)[goal_cells].reshape(part.shape)
    return Board.trusted(grid.reshape(-1), size)
