"""``tilework analyse``: where a game lost moves."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tilework.core.cli.boards import STANDARD_INPUT, board_of, goal_of, read_text
from tilework.core.cli.exits import ExitCode, interruptible
from tilework.core.cli.language import say
from tilework.core.cli.options import AsJson, GoalText, Mover, MoverName, Width
from tilework.core.cli.terminal import ProgressLine, count
from tilework.core.errors import InputError
from tilework.core.formats.moves_text import read_moves
from tilework.core.messages import Message
from tilework.core.search.limits import Limits

if TYPE_CHECKING:
    from tilework.core.solver.analysis.result import AnalysisProgress


def analyse(
    board: Annotated[
        str,
        typer.Argument(
            metavar="BOARD|FILE|-",
            help="The board before the first move, quoted, in any format; a file with one; or - "
            "for standard input.",
        ),
    ],
    moves: Annotated[
        str,
        typer.Argument(
            metavar="MOVES|FILE|-",
            help="The moves in any format that solutions are written in; a file with them; or - "
            "for standard input.",
        ),
    ],
    *,
    goal: GoalText = "blank-last",
    width: Width = None,
    by: MoverName = Mover.TILE,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="Of the whole; none up to 16 cells and 10 beyond, if not given.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what remains at each position of a game, and which of its moves lost some.

    Exact on boards of up to 16 cells, and near the goal on larger ones; proved bounds elsewhere.
    The first Ctrl-C ends the search and tells what is proved by then.
    """
    if board == moves == STANDARD_INPUT:
        raise InputError(
            "one-standard-input",
            "board and moves cannot both come from standard input; write one of them in words or "
            "in a file",
        )
    start = board_of([board], width)
    end = goal_of(goal, start.size)
    made = read_moves(_text_of(moves), start, blank_moves=by is Mover.BLANK)

    from tilework.core.solver.analysis.analyse import analyse as search
    from tilework.core.solver.analysis.game import Game
    from tilework.core.solver.analysis.result import analysis_document, check_ways

    with interruptible() as interrupted, ProgressLine(sys.stderr) as line:

        def watch(progress: AnalysisProgress) -> None:
            line.draw(lambda: say(_under_way(progress)))

        limits = Limits(seconds=time_limit, cancelled=interrupted)
        found = search(start, end, made, limits=limits, progress=watch, threads=_threads())
        stopped = interrupted()
    document = analysis_document(found)
    check_ways(Game(start, end, made), document)
    if as_json:
        print(json.dumps(document))
    else:
        from tilework.core.cli.analyse import print_report

        print_report(found)
    if stopped:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _text_of(moves: str) -> str:
    # A long game is no path, which os.path.exists says where Path.exists raises.
    return read_text(moves) if moves == STANDARD_INPUT or os.path.exists(moves) else moves


def _under_way(progress: AnalysisProgress) -> Message:
    return Message(
        "analysing",
        "{settled} of {total} positions are known, {nodes} nodes",
        settled=progress.settled,
        total=progress.total,
        nodes=count(progress.nodes),
    )


def _threads() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
