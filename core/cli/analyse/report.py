"""What `tilework analyse` prints: what the game was, its losses and loops, and a chart."""

from __future__ import annotations

import sys

from tilework.core.cli.analyse.phrases import (
    lost_words,
    shortest_words,
    stopped_words,
    verdict_words,
)
from tilework.core.cli.language import say, say_words, word
from tilework.core.cli.tables import print_fields, print_rows
from tilework.core.puzzle.moves import to_letters
from tilework.core.solver.analysis.result import Analysis

_LOSSES = {
    "move": word("move"),
    "remaining": word("remaining"),
    "better_way": word("better way from here"),
}
_LOOPS = {"first": word("loop from move"), "last": word("to move")}

_BARS = "▁▂▃▄▅▆▇█"
_CHART_COLUMNS = 60


def print_report(analysis: Analysis) -> None:
    """Print an analysis for people; in a pipe the tables have tabs between their columns."""
    fields = {
        say_words("game"): say(verdict_words(analysis)),
        say_words("shortest"): say(shortest_words(analysis)),
        say_words("lost"): say(lost_words(analysis)),
        say_words("slides"): str(analysis.slides),
        say_words("remaining moves"): _chart(analysis),
    }
    if analysis.stopped_by is not None:
        fields[say_words("note")] = say(stopped_words(analysis.stopped_by))
    print_fields(fields)
    if analysis.losses:
        print()
        print_rows(
            _LOSSES,
            [
                [
                    str(loss.move),
                    str(loss.remaining),
                    "…" if loss.way is None else to_letters(loss.way),
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
