"""``tilework check``: what a board is, without solving it."""

from __future__ import annotations

import json
from typing import Any

import typer

from tilework.core.cli.boards import board_of, goal_of
from tilework.core.cli.exits import ExitCode
from tilework.core.cli.language import say, say_words, word
from tilework.core.cli.options import AsJson, BoardWords, GoalText, Width
from tilework.core.cli.tables import print_fields, yes_or_no
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.distance import MOST_BY_TILE, hamming_by_tile, manhattan_by_tile
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.solvability import explain, inverted_pairs

MOST_EXPLAINED_CELLS = 1_000_000

_NAMES = {
    "width": word("width"),
    "height": word("height"),
    "solvable": word("solvable"),
    "explanation": word("explanation"),
    "inverted_pairs": word("inverted pairs"),
    "hamming": word("hamming"),
    "hamming_by_tile": word("hamming by tile"),
    "manhattan": word("manhattan"),
    "manhattan_by_tile": word("manhattan by tile"),
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

    Boards of over 400 cells are not told tile by tile, those of over a million get no explanation
    and no key. The exit code is 0 for a
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
        "inversions": None,
        "parities": None,
        "inverted_pairs": None,
        "hamming": start.hamming(end),
        "hamming_by_tile": None,
        "manhattan": start.manhattan(end),
        "manhattan_by_tile": None,
        "key": None,
    }
    if start.size.cells <= MOST_EXPLAINED_CELLS:
        end = goal_of(goal, start.size) if end is None else end
        facts |= _argument(start, end)
        facts["key"] = canonicalize(start, end).key if solvable else None
        if start.size.cells <= MOST_BY_TILE:
            facts["inverted_pairs"] = inverted_pairs(start, end)
            facts["hamming_by_tile"] = hamming_by_tile(start.cells, end.cells)
            facts["manhattan_by_tile"] = manhattan_by_tile(start.cells, end.cells, start.width)
    if as_json:
        print(json.dumps(facts))
    else:
        print_fields(
            {
                say_words(words): _in_words(name, facts)
                for name, words in _NAMES.items()
                if facts[name] not in (None, [])
            }
        )
    raise typer.Exit(ExitCode.ANSWERED if solvable else ExitCode.NO_SOLUTION)


def _argument(start: Board, goal: Board) -> dict[str, Any]:
    """Return why a board is solvable or not, in words and as numbers."""
    explanation = explain(start, goal)
    return {
        "explanation": say(explanation.message),
        "inversions": explanation.inversions,
        "parities": [parity.document() for parity in explanation.parities],
    }


def _in_words(name: str, facts: dict[str, Any]) -> str:
    value = facts[name]
    if name == "inverted_pairs":
        listed = " ".join(f"{one}-{other}" for one, other in value)
        return listed if len(value) == facts["inversions"] else f"{listed} …"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return yes_or_no(value) if isinstance(value, bool) else str(value)
