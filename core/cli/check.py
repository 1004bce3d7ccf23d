"""``tilework check``: what a board is, without solving it."""

from __future__ import annotations

import json
from typing import Any

import typer

from core.cli.boards import board_of, goal_of
from core.cli.exits import ExitCode
from core.cli.language import say, say_words, word
from core.cli.options import AsJson, BoardWords, GoalText, Width
from core.cli.tables import print_fields, yes_or_no
from core.puzzle.canonical import canonicalize
from core.puzzle.goals import GoalName
from core.puzzle.solvability import explain

MOST_EXPLAINED_CELLS = 1_000_000

_NAMES = {
    "width": word("width"),
    "height": word("height"),
    "solvable": word("solvable"),
    "explanation": word("explanation"),
    "hamming": word("hamming"),
    "manhattan": word("manhattan"),
    "key": word("key"),
}
"""What people read; programs read the same names in every language, as JSON."""


def check(
    board: BoardWords,
    goal: GoalText = "blank-last",
    width: Width = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a board is valid and solvable, and how far it is from the goal.

    Boards of over a million cells get no explanation and no key. The exit code is 0 for a
    solvable board, 1 for an unsolvable one, 2 for one that is no board.
    """
    start = board_of(board, width)
    # A goal of None is the standard one, which a board of gigabytes need not be compared with.
    end = None if goal == GoalName.BLANK_LAST else goal_of(goal, start.size)
    solvable = start.is_solvable(end)
    facts: dict[str, Any] = {
        "width": start.width,
        "height": start.height,
        "solvable": solvable,
        "explanation": None,
        "hamming": start.hamming(end),
        "manhattan": start.manhattan(end),
        "key": None,
    }
    if start.size.cells <= MOST_EXPLAINED_CELLS:
        end = goal_of(goal, start.size) if end is None else end
        facts["explanation"] = say(explain(start, end).message)
        facts["key"] = canonicalize(start, end).key if solvable else None
    if as_json:
        print(json.dumps(facts))
    else:
        print_fields(
            {
                say_words(_NAMES[name]): _in_words(value)
                for name, value in facts.items()
                if value is not None
            }
        )
    raise typer.Exit(ExitCode.ANSWERED if solvable else ExitCode.NO_SOLUTION)


def _in_words(value: object) -> str:
    return yes_or_no(value) if isinstance(value, bool) else str(value)
