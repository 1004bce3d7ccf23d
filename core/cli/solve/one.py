"""How ``tilework solve`` handles one board."""

from __future__ import annotations

from dataclasses import replace

from tilework.core.cli.boards import board_of, goal_of
from tilework.core.cli.exits import ExitCode
from tilework.core.cli.solve.answers import AnswerStyle, print_answer, print_unsolvable
from tilework.core.cli.solve.searching import SearchOptions, SolverSearch
from tilework.core.cli.solve.textbook import Textbook
from tilework.core.formats.solution_formats import SolutionFormat
from tilework.core.lab.method import Method
from tilework.core.lab.names import PUBLISHED, LabHeuristic
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.solvability import explain
from tilework.core.solver.names import Algorithm, Heuristic

_FEW_CELLS = 9


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
        return print_unsolvable(start, explain(start, goal), style)
    options = _as_printed(start, options, style)
    return print_answer(start, goal, options.search(start, goal), style, options.how.heuristic_name)


def _as_printed(start: Board, options: SearchOptions, style: AnswerStyle) -> SearchOptions:
    """Search as the program does whose format is asked for, where no search is named.

    It tells what its search took; and so few cells are no matter for it.
    """
    how = options.how
    if (
        style.format in (SolutionFormat.EIGHTPUZZLE, SolutionFormat.EIGHTPUZZLE_SHORT)
        and isinstance(how, SolverSearch)
        and (how.algorithm, how.heuristic) == (Algorithm.AUTO, Heuristic.AUTO)
        and start.size.cells <= _FEW_CELLS
    ):
        return replace(options, how=Textbook(Method.of(PUBLISHED, LabHeuristic.MANHATTAN)))
    return options
