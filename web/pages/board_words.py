"""Boards as the page and its modules write them."""

from __future__ import annotations

from flask_babel import gettext as _

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import GoalName, blank_first, blank_last, named, spiral


def plain_tiles(board: Board) -> str:
    """The tiles row by row with single spaces: what the page's modules read."""
    return " ".join(map(str, board.cells.tolist()))


def plain_goal(goal: Board) -> str:
    """The goal's name if the page's modules know it, else its tiles."""
    if goal == blank_last(goal.size):
        return GoalName.BLANK_LAST
    return plain_tiles(goal)


def goal_text(goal: Board) -> str:
    """The goal as the forms take it: its name where it has one, else its tiles."""
    names = (name for name in GoalName if goal == named(name, goal.size))
    return next(names, plain_tiles(goal))


def board_lines(board: Board) -> str:
    """The board as the form shows it: a row a line, numbers aligned, width where it is needed."""
    wide = len(str(board.size.cells - 1))
    rows = board.cells.reshape(board.height, board.width).tolist()
    lines = [" ".join(str(tile).rjust(wide) for tile in row) for row in rows]
    if board.width != board.height:
        lines.insert(0, f"{board.width}x{board.height}:")
    return "\n".join(lines)


def goal_words(goal: Board) -> str:
    """The goal's name."""
    for make, words in (
        (blank_last, _("goal: the blank last")),
        (blank_first, _("goal: the blank first")),
        (spiral, _("goal: a spiral")),
    ):
        if goal == make(goal.size):
            return str(words)
    return str(_("goal: a board of its own"))
