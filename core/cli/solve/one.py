"""How ``tilework solve`` handles one board."""

from __future__ import annotations

from core.cli.boards import board_of, goal_of
from core.cli.exits import ExitCode
from core.cli.solve.answers import AnswerStyle, print_answer, print_unsolvable
from core.cli.solve.searching import SearchOptions
from core.puzzle.solvability import explain


def solve_one(
    words: list[str],
    goal_text: str,
    width: int | None,
    options: SearchOptions,
    style: AnswerStyle,
) -> ExitCode:
    """Read a board, solve it and print the outcome.

    Raises
    ------
    InputError
        If board, goal or options cannot be used.
    """
    start = board_of(words, width)
    goal = goal_of(goal_text, start.size)
    if not start.is_solvable(goal):
        return print_unsolvable(explain(start, goal), style)
    return print_answer(start, goal, options.search(start, goal), style)
