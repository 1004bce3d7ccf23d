"""``tilework check``: what a board is, without solving it."""

from __future__ import annotations

import json
from typing import Any

import typer

from core.cli.boards import board_of, goal_of
from core.cli.exits import ExitCode
from core.cli.options import AnswerLanguage, AsJson, BoardWords, GoalText, Width
from core.cli.phrases import Language
from core.cli.tables import print_fields


def check(
    board: BoardWords,
    goal: GoalText = "blank-last",
    width: Width = None,
    lang: AnswerLanguage = Language.ENGLISH,
    as_json: AsJson = False,
) -> None:
    """Say whether a board is valid and solvable, and how far it is from the goal.

    The exit code is 0 for a solvable board, 1 for an unsolvable one, 2 for one that is no board.
    """
    from core.puzzle.canonical import canonicalize
    from core.puzzle.solvability import explain

    start = board_of(board, width)
    end = goal_of(goal, start.size)
    explanation = explain(start, end, lang)
    facts: dict[str, Any] = {
        "width": start.width,
        "height": start.height,
        "solvable": explanation.solvable,
        "explanation": explanation.words,
        "hamming": start.hamming(end),
        "manhattan": start.manhattan(end),
        "key": canonicalize(start, end).key if explanation.solvable else None,
    }
    if as_json:
        print(json.dumps(facts))
    else:
        print_fields({name: _in_words(value) for name, value in facts.items() if value is not None})
    raise typer.Exit(ExitCode.ANSWERED if explanation.solvable else ExitCode.NO_SOLUTION)


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
