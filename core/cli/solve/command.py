"""``tilework solve``: one board, a file of boards, or board after board, in this process."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tilework.core.cli.files import STANDARD_INPUT
from tilework.core.cli.language import spoken
from tilework.core.cli.options import (
    AlgorithmName,
    BeamWidth,
    BoardWords,
    Gap,
    GoalText,
    HeuristicName,
    MemoryLimit,
    MetricName,
    Mover,
    MoverName,
    SolutionForm,
    TargetName,
    TimeLimit,
    Weight,
    Width,
)
from tilework.core.cli.solve.answers import AnswerStyle
from tilework.core.cli.solve.lines import solve_lines
from tilework.core.cli.solve.one import solve_one
from tilework.core.cli.solve.paying_builds import PayingBuilds
from tilework.core.cli.solve.prompt import solve_prompted
from tilework.core.cli.solve.searching import SearchOptions, search_of, target_of
from tilework.core.formats.solution_formats import SolutionFormat
from tilework.core.puzzle.metric import Metric
from tilework.core.search.processors import usable_processors


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
        int | None,
        typer.Option(min=1, metavar="N", help="Nodes for each board.", show_default=False),
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
        typer.Option("--jsonl", help="Read a file of many boards, write one JSON object a line."),
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            envvar="TILEWORK_SOLVE_THREADS",
            help="Processors to use; all of them if not given.",
            show_default=False,
            show_envvar=False,
        ),
    ] = None,
    no_build: Annotated[
        bool, typer.Option("--no-build", help="Build no pattern databases beside a long search.")
    ] = False,
) -> None:
    """Solve a board, or a file of boards with --jsonl.

    On a terminal, `tilework solve` alone asks for one board after the other. Where searches last,
    better pattern databases are built beside them, and kept for this user.
    """
    wanted = target_of(target, gap)
    how = search_of(
        algorithm,
        heuristic,
        metric=metric,
        target=wanted,
        weight=weight,
        beam_width=beam_width,
        mebibytes=memory_limit,
    )
    style = AnswerStyle(output, spoken(), by is Mover.BLANK)
    many = jsonl or (board == [STANDARD_INPUT] and sys.stdin.isatty())
    with PayingBuilds(None if many else time_limit, forbidden=no_build) as builds:
        options = SearchOptions(
            wanted,
            time_limit,
            node_limit,
            how,
            threads or usable_processors(),
            builds,
        )
        if jsonl:
            code = solve_lines(board, goal, width, options, style)
        elif many:
            code = solve_prompted(goal, width, options, style)
        else:
            code = solve_one(board, goal, width, options, style)
    raise typer.Exit(code)
