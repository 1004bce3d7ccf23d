"""What makes a board solvable that is not: another goal, or two tiles that change places."""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import gettext as _

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import GoalName, named
from tilework.core.puzzle.solvability import Explanation, explain

_LONGEST_QUOTE = 40


@dataclass(frozen=True)
class Remedy:
    """A button: its words, and the goal to choose or the two tiles to exchange."""

    words: str
    goal: str = ""
    swap: str = ""


def remedies(board: Board, goal: Board, explanation: Explanation) -> list[Remedy]:
    """Return what helps a board that cannot be solved; nothing for one that can."""
    if explanation.solvable:
        return []
    offered = [*_another_goal(board, goal)]
    if min(board.size) > 1 and board.size.cells > 2:
        one, other = board.size.cells - 2, board.size.cells - 1
        words = _("Swap %(one)s and %(other)s", one=one, other=other)
        offered.append(Remedy(words, swap=f"{one} {other}"))
    return offered


def exchanged(board: Board, tiles: str) -> Board:
    """Return a board in which two tiles, as a remedy names them, have changed places.

    Raises
    ------
    OptionError
        If they are not two tiles of the board.
    """
    cells = board.cells.tolist()
    try:
        one, other = (cells.index(int(tile)) for tile in tiles.split())
    except ValueError:
        raise OptionError(
            "remedy",
            "{tiles!r} are not two tiles of the board; name two, as in 14 15",
            tiles=tiles[:_LONGEST_QUOTE],
        ) from None
    cells[one], cells[other] = cells[other], cells[one]
    return Board(cells, *board.size)


def _another_goal(board: Board, goal: Board) -> list[Remedy]:
    for name, words in (
        (GoalName.BLANK_FIRST, _("Use blank first")),
        (GoalName.BLANK_LAST, _("Use blank last")),
    ):
        other = named(name, board.size)
        if other != goal and explain(board, other).solvable:
            return [Remedy(words, goal=name)]
    return []
