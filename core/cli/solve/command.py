"""``tilework solve``: solve one board, a file of boards, or boards at a prompt."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from typing import Annotated

import typer

from tilework.core.cli import messages
from tilework.core.cli.boards import STANDARD_INPUT, read_board_argument, read_goal_option
from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.language import current_language, translate
from tilework.core.cli.options import (
    AlgorithmName,
    BeamWidth,
    BoardWords,
    Gap,
    GoalText,
    HeuristicName,
    MemoryLimit,
    MetricName,
    MoverName,
    SolutionForm,
    TargetName,
    TimeLimit,
    Weight,
    Width,
    option,
)
from tilework.core.cli.solve.answers import AnswerStyle, print_answer, print_unsolvable
from tilework.core.cli.solve.background_builds import BackgroundBuilds
from tilework.core.cli.solve.many_boards import solve_lines
from tilework.core.cli.solve.searches import (
    SearchOptions,
    SolverSearch,
    Textbook,
    make_search,
    make_target,
)
from tilework.core.errors import InputError, UnsolvableError
from tilework.core.formats.solutions import Mover, SolutionFormat
from tilework.core.formats.spellings import EXAMPLE
from tilework.core.lab.methods import PUBLISHED, LabHeuristic, Method
from tilework.core.machine import usable_processors
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic


def solve(
    board: BoardWords = [STANDARD_INPUT],  # noqa: B006 - typer copies it
    *,
    goal: GoalText = "blank-last",
    width: Width = None,
    metric: MetricName = Metric.MOVES,
    target: TargetName = None,
    gap: Gap = None,
    time_limit: TimeLimit = None,
    node_limit: Annotated[
        int | None, option(min=1, metavar="N", help="Node limit per board.")
    ] = None,
    memory_limit: MemoryLimit = None,
    algorithm: AlgorithmName = "auto",
    heuristic: HeuristicName = "auto",
    weight: Weight = None,
    beam_width: BeamWidth = None,
    output: SolutionForm = SolutionFormat.UDLR,
    by: MoverName = Mover.TILE,
    jsonl: Annotated[
        bool,
        typer.Option(
            "--jsonl", help="Read a file of many boards and print one JSON object per line."
        ),
    ] = False,
    threads: Annotated[
        int | None,
        option(
            min=1,
            metavar="N",
            envvar="TILEWORK_SOLVE_THREADS",
            help="Number of processors to use.  [default: all]",
            show_envvar=False,
        ),
    ] = None,
    no_build: Annotated[
        bool, typer.Option("--no-build", help="Build no pattern databases during a long search.")
    ] = False,
) -> None:
    """Solve a board, or a file of boards with --jsonl.

    On a terminal, `tilework solve` without a board prompts for boards. During long searches,
    better pattern databases are built in the background and stored for this user.
    """
    parsed_target = make_target(target, gap)
    searcher = make_search(
        algorithm,
        heuristic,
        metric=metric,
        target=parsed_target,
        weight=weight,
        beam_width=beam_width,
        mebibytes=memory_limit,
    )
    style = AnswerStyle(output, current_language(), by is Mover.BLANK)
    solves_many = jsonl or (board == [STANDARD_INPUT] and sys.stdin.isatty())
    with BackgroundBuilds(None if solves_many else time_limit, forbidden=no_build) as builds:
        options = SearchOptions(
            parsed_target, time_limit, node_limit, searcher, threads or usable_processors(), builds
        )
        if jsonl:
            code = solve_lines(board, goal, width, options, style)
        elif solves_many:
            code = solve_prompted(goal, width, options, style)
        else:
            code = solve_one(board, goal, width, options, style)
    raise typer.Exit(code)


_MAX_CELLS_OF_FORMAT = 9


def solve_one(
    words: list[str], goal_text: str, width: int | None, options: SearchOptions, style: AnswerStyle
) -> ExitCode:
    start = read_board_argument(words, width)
    goal = read_goal_option(goal_text, start.size)
    try:
        check_solvable(start, goal)
    except UnsolvableError as error:
        return print_unsolvable(start, error, style)
    options = _match_format(start, options, style)
    result = options.search(start, goal)
    return print_answer(start, goal, result, style, options.searcher.heuristic_name)


def _match_format(start: Board, options: SearchOptions, style: AnswerStyle) -> SearchOptions:
    """Use the algorithm of the program whose format was requested, to print its statistics."""
    searcher = options.searcher
    if (
        style.format in (SolutionFormat.EIGHTPUZZLE, SolutionFormat.EIGHTPUZZLE_SHORT)
        and isinstance(searcher, SolverSearch)
        and (searcher.algorithm, searcher.heuristic) == (Algorithm.AUTO, Heuristic.AUTO)
        and start.size.cells <= _MAX_CELLS_OF_FORMAT
    ):
        return replace(options, searcher=Textbook(Method.of(PUBLISHED, LabHeuristic.MANHATTAN)))
    return options


def solve_prompted(
    goal_text: str, width: int | None, options: SearchOptions, style: AnswerStyle
) -> ExitCode:
    """Solve typed boards until an empty line; Ctrl-C ends a search or the command."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - gives input() its line editing and history

    print(translate(messages.welcome()), file=sys.stderr)
    print(translate(Message("example", "Example: {board}", board=EXAMPLE)), file=sys.stderr)
    while text := _read_board(translate(Message("prompt", "Board> "))):
        try:
            solve_one([text], goal_text, width, options, style)
        except InputError as error:
            print(translate(error.message), file=sys.stderr)
    return ExitCode.ANSWERED


_MAX_PASTED_ROWS = 100  # a larger number is a board without spaces


def _read_board(prompt: str) -> str:
    """Read a line, and the rows after a side length (a pasted Princeton file)."""
    first = _read_line(prompt)
    if not first.isdecimal() or not 2 <= int(first) <= _MAX_PASTED_ROWS:
        return first
    rows = [first]
    while len(rows) <= int(first) and (row := _read_line("")):
        rows.append(row)
    return "\n".join(rows)


def _read_line(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        print(file=sys.stderr)
        return ""
