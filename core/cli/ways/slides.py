"""``tilework slides``: a solution of few slides, each of one tile or several at once."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import typer

from tilework.core.cli import phrases
from tilework.core.cli.boards import board_of, goal_of
from tilework.core.cli.exits import interruptible
from tilework.core.cli.language import say
from tilework.core.cli.options import AsJson, BoardWords, GoalText, TimeLimit, Width
from tilework.core.cli.terminal import ProgressLine
from tilework.core.cli.ways.limits import code_of, print_stopped
from tilework.core.formats.solution_moves import runs
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import Limits

if TYPE_CHECKING:
    from tilework.core.solver.result import SlidesResult


def slides(
    board: BoardWords,
    goal: GoalText = "blank-last",
    width: Width = None,
    *,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
) -> None:
    """Solve a board in the fewest slides: several tiles of a line that go together count once.

    What is proved is the fewest on boards of up to 16 cells; larger ones are improved for ten
    seconds if no limit is given. R2 is a slide of two tiles to the right.
    """
    start = board_of(board, width)
    end = goal_of(goal, start.size)
    with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
        from tilework.core.solver.slides.find import find_slides

        limits = Limits(time_limit, cancelled=interrupted)
        result = find_slides(start, end, limits=limits, progress=line)
    if as_json:
        print(json.dumps(_record(result)))
    else:
        if result.moves is not None:
            for piece in runs(result.moves):
                sys.stdout.write(piece)
            print(flush=True)
        print(say(phrases.slides_found(result)), file=sys.stderr)
    print_stopped(result.stopped_by, result.statistics)
    raise typer.Exit(code_of(result.stopped_by, result.moves is not None))


def _record(result: SlidesResult) -> dict[str, Any]:
    moves = result.moves
    return {
        "slides": result.slides,
        "lower_bound": result.lower_bound,
        "optimal": result.optimal,
        "length": None if moves is None else len(moves),
        "moves": None if moves is None else to_letters(moves),
        "nodes": result.statistics.generated,
        "seconds": round(result.statistics.seconds, 6),
        "stopped_by": result.stopped_by,
    }
