"""``tilework hint``: the next move of a board, and how far it is from there."""

from __future__ import annotations

import typer

from tilework.core.cli.boards import board_of, goal_of
from tilework.core.cli.exits import ExitCode
from tilework.core.cli.language import say
from tilework.core.cli.options import BoardWords, GoalText, Width
from tilework.core.cli.phrases import already_solved, no_answer
from tilework.core.formats.bound_proof import BoundProof
from tilework.core.messages import Message, plural
from tilework.core.puzzle.hint import Hint

_WAYS = {
    "up": Message("way-up", "up"),
    "down": Message("way-down", "down"),
    "left": Message("way-left", "left"),
    "right": Message("way-right", "right"),
}


def hint(board: BoardWords, goal: GoalText = "blank-last", width: Width = None) -> None:
    """Say which tile to move next, and how many moves remain after it.

    The move is the first of a shortest solution on boards of up to 16 cells, and on larger ones of
    one that is found in seconds.
    """
    from tilework.core.solver.hint import find_hint

    start = board_of(board, width)
    found = find_hint(start, goal_of(goal, start.size))
    if found.moves is None:
        print(say(no_answer(found.lower_bound, BoundProof.SEARCH)))
        raise typer.Exit(ExitCode.NO_SOLUTION)
    print(say(already_solved() if found.solved else _told(found, len(found.moves) - 1)))


def _told(found: Hint, left: int) -> Message:
    return Message(
        "hint",
        "move tile {tile} {way}; {rest}",
        tile=found.tile,
        way=_WAYS[found.direction or ""],
        rest=_rest(found, left),
    )


def _rest(found: Hint, left: int) -> Message:
    """Say how many moves remain after the hint."""
    if left == 0:
        return Message("hint-last", "that solves the board")
    if found.optimal:
        return plural(
            "hint-left", "{count} more, none shorter", "{count} more, none shorter", count=left
        )
    return plural("hint-left-at-most", "at most {count} more", "at most {count} more", count=left)
