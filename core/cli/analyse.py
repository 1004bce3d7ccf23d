"""``tilework analyse`` and ``moves``: the wasted moves in a game, and sequences of moves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from tilework.core.cli.answers import AnswerStyle, between
from tilework.core.cli.boards import (
    STANDARD_INPUT,
    one_standard_input,
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
from tilework.core.formats.solutions import Mover
from tilework.core.machine import usable_processors
from tilework.core.messages import Message, plural
from tilework.core.puzzle import phrases
from tilework.core.puzzle.moves import NO_MOVES, reverse_moves
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.analysis.game import Analysis

if TYPE_CHECKING:
    from tilework.core.solver.analysis.game import AnalysisProgress


GameBoard = Annotated[
    str,
    typer.Argument(
        metavar="BOARD|FILE|-",
        help="The board before the first move, quoted, in any format; a file that contains it; "
        "or - for standard input.",
    ),
]


def analyse(
    board: GameBoard,
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
        raise one_standard_input()
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


def moves(
    board: GameBoard,
    moves: Annotated[
        list[str],
        typer.Argument(
            metavar="MOVES|FILE...",
            help="The moves in any format for solutions, or files that contain them; each begins "
            "where the one before it ends.",
        ),
    ],
    *,
    width: Width = None,
    by: MoverName = Mover.TILE,
    simplify: Annotated[
        bool, typer.Option("--simplify", help="Omit moves between two visits of the same board.")
    ] = False,
    invert: Annotated[
        bool, typer.Option("--invert", help="Print the moves that lead back to the board.")
    ] = False,
) -> None:
    """Join sequences of moves, and simplify or invert them."""
    from tilework.core.solver.analysis.game import Game

    end = start = read_board_argument([board], width)
    joined = NO_MOVES
    for words in moves:
        part = read_moves_argument(words, end, blank_moves=by is Mover.BLANK)
        end = Game(end, end, part).board(len(part))
        joined = np.concatenate([joined, part])
    if simplify:
        joined = Game(start, end, joined).without_loops()
    if invert:
        start, end, joined = end, start, reverse_moves(joined)
    letters = AnswerStyle(by_blank=by is Mover.BLANK).letters(joined)
    boards = {"from": start.cells.tolist(), "to": end.cells.tolist()}
    show({"moves": letters, "length": len(joined), **boards}, lambda: print(letters))


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
                [str(loss.move), str(loss.remaining), "…" if loss.way is None else loss.way]
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
    moves = phrases.moves(len(analysis))
    if analysis.is_solution:
        return Message("game-solves", "a solution of {moves}", moves=moves)
    return Message("game-open", "not a solution: {moves}", moves=moves)


def _describe_shortest(analysis: Analysis) -> Message:
    lower, upper = analysis.lower[0], analysis.upper[0]
    if upper is None:
        return Message("at-least", "at least {moves}", moves=phrases.moves(lower))
    return phrases.moves(lower) if lower == upper else between(lower, upper)


def _describe_wasted_moves(analysis: Analysis) -> Message:
    lower, upper = analysis.lost
    if upper is None:
        return Message("at-least", "at least {moves}", moves=phrases.moves(lower))
    if lower != upper:
        return between(lower, upper)
    return plural(
        "lost-by",
        "{moves}, by {count} move",
        "{moves}, by {count} moves",
        moves=phrases.moves(lower),
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
