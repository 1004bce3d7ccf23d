"""``tilework analyse``: find the wasted moves in a game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tilework.core.cli.answers import between
from tilework.core.cli.boards import (
    STANDARD_INPUT,
    read_board_argument,
    read_goal_option,
    read_moves_argument,
)
from tilework.core.cli.console import (
    ExitCode,
    ProgressLine,
    format_count,
    gettext,
    interruptible,
    print_fields,
    print_rows,
    show,
    translate,
)
from tilework.core.cli.options import GoalText, MoverName, Width, option
from tilework.core.cli.words import gettext_noop
from tilework.core.errors import InputError
from tilework.core.formats.solutions import Mover
from tilework.core.machine import usable_processors
from tilework.core.messages import Message, plural
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.phrases import moves
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.analysis.game import Analysis

if TYPE_CHECKING:
    from tilework.core.solver.analysis.game import AnalysisProgress


def analyse(
    board: Annotated[
        str,
        typer.Argument(
            metavar="BOARD|FILE|-",
            help="The board before the first move, quoted, in any format; a file that contains it; "
            "or - for standard input.",
        ),
    ],
    moves: Annotated[
        str,
        typer.Argument(
            metavar="MOVES|FILE|-",
            help="The moves in any format for solutions; a file that contains them; or - for "
            "standard input.",
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
            help="Time limit of the analysis.  [default: none up to 16 cells, 10 above]",
        ),
    ] = None,
) -> None:
    """Show how many moves remain at each position of a game, and which moves are wasted.

    The numbers are exact on boards of up to 16 cells and near the goal; elsewhere, they are proven
    bounds. The first Ctrl-C ends the search and prints the results so far.
    """
    if board == moves == STANDARD_INPUT:
        raise InputError(
            "one-standard-input",
            "the board and the moves cannot both come from standard input; pass one of them as "
            "an argument or a file",
        )
    start = read_board_argument([board], width)
    end = read_goal_option(goal, start.size)
    played_moves = read_moves_argument(moves, start, blank_moves=by is Mover.BLANK)

    from tilework.core.solver.analysis.analyse import analyse as search
    from tilework.core.solver.analysis.game import Game, analysis_document, check_better_paths

    with interruptible() as interrupted, ProgressLine() as line:

        def report(progress: AnalysisProgress) -> None:
            message = Message(
                "analysing",
                "{settled} of {total} positions done, {nodes} nodes",
                settled=progress.settled,
                total=progress.total,
                nodes=format_count(progress.nodes),
            )
            line.draw(lambda: translate(message))

        limits = Limits(seconds=time_limit, cancelled=interrupted)
        analysis = search(
            start, end, played_moves, limits=limits, progress=report, threads=usable_processors()
        )
        was_interrupted = interrupted()
    document = analysis_document(analysis)
    check_better_paths(Game(start, end, played_moves), document)
    show(document, lambda: _print_report(analysis))
    if was_interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


_LOSSES = {
    "move": gettext_noop("move"),
    "remaining": gettext_noop("remaining"),
    "better_way": gettext_noop("better moves from here"),
}
_LOOPS = {"first": gettext_noop("loop from move"), "last": gettext_noop("to move")}

_BARS = "▁▂▃▄▅▆▇█"
_CHART_COLUMNS = 60


def _print_report(analysis: Analysis) -> None:
    """Print an analysis; in a pipe the tables are tab-separated."""
    fields = {
        gettext("game"): translate(_describe_verdict(analysis)),
        gettext("shortest"): translate(_describe_shortest(analysis)),
        gettext("wasted"): translate(_describe_wasted_moves(analysis)),
        gettext("slides"): str(analysis.slides),
        gettext("remaining moves"): _chart(analysis),
    }
    if analysis.stopped_by is not None:
        fields[gettext("note")] = translate(_describe_stop(analysis.stopped_by))
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
    """Draw the lower bounds along the game as a line of bars between the first and last values."""
    bounds = analysis.lower
    columns = min(_CHART_COLUMNS, len(bounds))
    sampled = [bounds[index * len(bounds) // columns] for index in range(columns)]
    highest = max(*bounds, 1)
    if not _can_encode(_BARS):
        return f"{bounds[0]} - {bounds[-1]}"
    bars = "".join(_BARS[min(bound * len(_BARS) // highest, len(_BARS) - 1)] for bound in sampled)
    return f"{bounds[0]} {bars} {bounds[-1]}"


def _can_encode(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _describe_verdict(analysis: Analysis) -> Message:
    if analysis.is_solution:
        return Message("game-solves", "a solution of {moves}", moves=moves(analysis.moves))
    return Message("game-open", "not a solution: {moves}", moves=moves(analysis.moves))


def _describe_shortest(analysis: Analysis) -> Message:
    lower, upper = analysis.lower[0], analysis.upper[0]
    if upper is None:
        return Message("at-least", "at least {moves}", moves=moves(lower))
    return moves(lower) if lower == upper else between(lower, upper)


def _describe_wasted_moves(analysis: Analysis) -> Message:
    lower, upper = analysis.min_excess, analysis.max_excess
    if upper is None:
        return Message("at-least", "at least {moves}", moves=moves(lower))
    if lower != upper:
        return between(lower, upper)
    return plural(
        "lost-by",
        "{moves}, by {count} move",
        "{moves}, by {count} moves",
        moves=moves(lower),
        count=len(analysis.losses),
    )


def _describe_stop(reason: StopReason) -> Message:
    if reason is StopReason.CANCELLED:
        return Message(
            "analysis-interrupted",
            "interrupted: the losses listed are proven, but there may be more",
        )
    return Message(
        "analysis-stopped", "out of time: the losses listed are proven, but there may be more"
    )
