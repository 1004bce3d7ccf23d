"""``tilework analyse``: where a game lost moves, with its loops and a chart."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tilework.core.cli.boards import (
    STANDARD_INPUT,
    read_board_argument,
    read_goal_option,
    read_text,
)
from tilework.core.cli.exit_codes import ExitCode, interruptible
from tilework.core.cli.language import gettext, gettext_noop, translate
from tilework.core.cli.messages import between
from tilework.core.cli.options import AsJson, GoalText, Mover, MoverName, Width, option
from tilework.core.cli.terminal import ProgressLine, count, print_fields, print_rows
from tilework.core.errors import InputError
from tilework.core.formats.moves_text import read_moves
from tilework.core.machine import usable_processors
from tilework.core.messages import Message, plural
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.phrases import moves
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.analysis.result import Analysis

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
        option(
            min=0,
            metavar="SECONDS",
            help="Of the whole; none up to 16 cells and 10 beyond, if not given.",
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
            "the board and the moves cannot both come from standard input; pass one of them as "
            "an argument or a file",
        )
    start = read_board_argument([board], width)
    end = read_goal_option(goal, start.size)
    made = read_moves(_text_of(moves), start, blank_moves=by is Mover.BLANK)

    from tilework.core.solver.analysis.analyse import analyse as search
    from tilework.core.solver.analysis.game import Game
    from tilework.core.solver.analysis.result import analysis_document, check_better_paths

    with interruptible() as interrupted, ProgressLine(sys.stderr) as line:

        def watch(progress: AnalysisProgress) -> None:
            line.draw(lambda: translate(_under_way(progress)))

        limits = Limits(seconds=time_limit, cancelled=interrupted)
        found = search(start, end, made, limits=limits, progress=watch, threads=usable_processors())
        stopped = interrupted()
    document = analysis_document(found)
    check_better_paths(Game(start, end, made), document)
    if as_json:
        print(json.dumps(document))
    else:
        print_report(found)
    if stopped:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _text_of(moves: str) -> str:
    # A long game is no path, which os.path.exists says where Path.exists raises.
    return read_text(moves) if moves == STANDARD_INPUT or os.path.exists(moves) else moves


def _under_way(progress: AnalysisProgress) -> Message:
    return Message(
        "analysing",
        "{settled} of {total} positions done, {nodes} nodes",
        settled=progress.settled,
        total=progress.total,
        nodes=count(progress.nodes),
    )


_LOSSES = {
    "move": gettext_noop("move"),
    "remaining": gettext_noop("remaining"),
    "better_way": gettext_noop("better moves from here"),
}
_LOOPS = {"first": gettext_noop("loop from move"), "last": gettext_noop("to move")}

_BARS = "▁▂▃▄▅▆▇█"
_CHART_COLUMNS = 60


def print_report(analysis: Analysis) -> None:
    """Print an analysis for people; in a pipe the tables have tabs between their columns."""
    fields = {
        gettext("game"): translate(verdict_words(analysis)),
        gettext("shortest"): translate(shortest_words(analysis)),
        gettext("lost"): translate(lost_words(analysis)),
        gettext("slides"): str(analysis.slides),
        gettext("remaining moves"): _chart(analysis),
    }
    if analysis.stopped_by is not None:
        fields[gettext("note")] = translate(stopped_words(analysis.stopped_by))
    print_fields(fields)
    if analysis.losses:
        print()
        print_rows(
            _LOSSES,
            [
                [
                    str(loss.move),
                    str(loss.remaining),
                    "…" if loss.path is None else to_letters(loss.path),
                ]
                for loss in analysis.losses
            ],
        )
    if analysis.loops:
        print()
        print_rows(_LOOPS, [[str(loop.first), str(loop.last)] for loop in analysis.loops])


def _chart(analysis: Analysis) -> str:
    """Draw the lower bound along the game as a line of bars, and its ends as numbers."""
    bounds = analysis.lower
    columns = min(_CHART_COLUMNS, len(bounds))
    shown = [bounds[place * len(bounds) // columns] for place in range(columns)]
    most = max(*bounds, 1)
    if not _can_write(_BARS):
        return f"{bounds[0]} - {bounds[-1]}"
    bars = "".join(_BARS[min(bound * len(_BARS) // most, len(_BARS) - 1)] for bound in shown)
    return f"{bounds[0]} {bars} {bounds[-1]}"


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def verdict_words(analysis: Analysis) -> Message:
    if analysis.is_solution:
        return Message("game-solves", "a solution of {moves}", moves=moves(analysis.moves))
    return Message("game-open", "not a solution: {moves}", moves=moves(analysis.moves))


def shortest_words(analysis: Analysis) -> Message:
    lower, upper = analysis.lower[0], analysis.upper[0]
    if upper is None:
        return Message("at-least", "at least {moves}", moves=moves(lower))
    return moves(lower) if lower == upper else between(lower, upper)


def lost_words(analysis: Analysis) -> Message:
    least, most = analysis.least_excess, analysis.most_excess
    if least != most:
        return (
            Message("at-least", "at least {moves}", moves=moves(least))
            if most is None
            else between(least, most)
        )
    return plural(
        "lost-by",
        "{moves}, by {count} move",
        "{moves}, by {count} moves",
        moves=moves(least),
        count=len(analysis.losses),
    )


def stopped_words(reason: StopReason) -> Message:
    if reason is StopReason.CANCELLED:
        return Message(
            "analysis-interrupted",
            "interrupted: the losses listed are proved, but there may be more",
        )
    return Message(
        "analysis-stopped", "out of time: the losses listed are proved, but there may be more"
    )
