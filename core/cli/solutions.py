"""``tilework hint``, ``ways`` and ``slides``."""

from __future__ import annotations

import errno
import json
import os
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tilework.core.cli import messages
from tilework.core.cli.boards import STANDARD_INPUT, read_board_argument, read_goal_option
from tilework.core.cli.exit_codes import ExitCode, interruptible
from tilework.core.cli.language import gettext, gettext_noop, translate
from tilework.core.cli.messages import already_solved, no_answer
from tilework.core.cli.options import AsJson, BoardWords, GoalText, TimeLimit, Width, option
from tilework.core.cli.terminal import ProgressLine, print_fields
from tilework.core.errors import OptionError
from tilework.core.formats.solutions import format_runs
from tilework.core.messages import Message, plural
from tilework.core.puzzle import phrases
from tilework.core.puzzle.hint import Hint
from tilework.core.puzzle.metric import BoundProof, count_slides
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import Limits, Statistics, StopReason

if TYPE_CHECKING:
    from tilework.core.solver.result import SlidesResult
    from tilework.core.solver.shortest_paths.find import ShortestPathsResult
    from tilework.core.solver.shortest_paths.graph import ShortestPaths


_LENGTH = gettext_noop("moves of a shortest solution")
_COUNT = gettext_noop("shortest solutions")
_BOARDS = gettext_noop("boards on these solutions")
_FEWEST = gettext_noop("with the fewest turns")


def ways(
    board: BoardWords,
    goal: GoalText = "blank-last",
    width: Width = None,
    *,
    max_listed: Annotated[
        int | None, option("--list", min=1, metavar="N", help="Print the first N solutions.")
    ] = None,
    fewest_turns: Annotated[
        bool,
        typer.Option("--fewest-turns", help="Print a solution with the fewest turns."),
    ] = False,
    dot: Annotated[
        str | None,
        option(
            metavar="FILE",
            help="Write the graph of all solutions for Graphviz; - prints only the graph.",
        ),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: Annotated[
        int | None, option(min=1, metavar="MiB", help="Memory limit for boards.  [default: 1024]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count all shortest solutions of a board of up to 16 cells.

    The exit code is 1 if a limit was reached before all were found.
    """
    start = read_board_argument(board, width)
    end = read_goal_option(goal, start.size)
    dot_file = None if dot in (None, STANDARD_INPUT) else Path(str(dot))
    if dot_file is not None and not dot_file.parent.is_dir():
        raise _not_writable(dot_file, os.strerror(errno.ENOENT))  # before a search of hours
    with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
        from tilework.core.solver.shortest_paths.find import find_shortest_paths

        bytes_ = None if memory_limit is None else memory_limit << 20
        limits = Limits(time_limit, memory_bytes=bytes_, cancelled=interrupted)
        result = find_shortest_paths(start, end, limits=limits, progress=line)
    paths = result.graph
    if dot == STANDARD_INPUT and paths is not None:
        print("\n".join(paths.graph().dot()))
    elif as_json:
        print(json.dumps(_ways_document(result, max_listed, fewest_turns=fewest_turns)))
    elif paths is not None:
        _print_ways(paths, max_listed, fewest_turns=fewest_turns)
    if dot_file is not None and paths is not None:
        _write_graph(dot_file, paths)
    if paths is None:
        print(translate(_describe_failure(result)), file=sys.stderr)
        print_stopped(result.stopped_by, result.statistics)
    raise typer.Exit(exit_code(result.stopped_by, paths is not None))


def _describe_failure(result: ShortestPathsResult) -> Message:
    if result.moves is not None and len(result.moves) == result.lower_bound:
        return messages.solutions_not_counted(result.lower_bound)
    return messages.no_answer(result.lower_bound, BoundProof.SEARCH)


def _print_ways(paths: ShortestPaths, max_listed: int | None, *, fewest_turns: bool) -> None:
    fields = {
        gettext(_LENGTH): str(paths.length),
        gettext(_COUNT): str(paths.count()),
        gettext(_BOARDS): str(paths.boards),
    }
    if fewest_turns:
        moves = paths.fewest_slides()
        slides = translate(phrases.slides(count_slides(moves)))
        fields[gettext(_FEWEST)] = f"{to_letters(moves)} ({slides})"
    print_fields(fields)
    for moves in islice(paths.solutions(), max_listed or 0):
        print(to_letters(moves))


def _ways_document(
    result: ShortestPathsResult, max_listed: int | None, *, fewest_turns: bool
) -> dict[str, Any]:
    paths = result.graph
    record: dict[str, Any] = {
        "length": None if paths is None else paths.length,
        "lower_bound": result.lower_bound,
        "count": None if paths is None else paths.count(),
        "boards": None if paths is None else paths.boards,
        "stopped_by": result.stopped_by,
    }
    if paths is None:
        return record
    if fewest_turns:
        moves = paths.fewest_slides()
        record["fewest_turns"] = {"moves": to_letters(moves), "slides": count_slides(moves)}
    if max_listed is not None:
        record["solutions"] = list(map(to_letters, islice(paths.solutions(), max_listed)))
    return record


def _write_graph(path: Path, paths: ShortestPaths) -> None:
    text = "\n".join(paths.graph().dot()) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _not_writable(path, error.strerror or type(error).__name__) from None


def _not_writable(path: Path, reason: str) -> OptionError:
    return OptionError(
        "dot-file",
        "the graph cannot be written to {path!r} ({reason}); choose a writable file",
        path=str(path),
        reason=reason,
    )


def slides(
    board: BoardWords,
    goal: GoalText = "blank-last",
    width: Width = None,
    *,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
) -> None:
    """Solve a board in the fewest slides. Adjacent tiles that move together count as one.

    The result is proven optimal on boards of up to 16 cells. On larger boards, the search runs for
    ten seconds unless a time limit is given. R2 is a slide of two tiles to the right.
    """
    start = read_board_argument(board, width)
    end = read_goal_option(goal, start.size)
    with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
        from tilework.core.solver.slides.find import find_slides

        limits = Limits(time_limit, cancelled=interrupted)
        result = find_slides(start, end, limits=limits, progress=line)
    if as_json:
        print(json.dumps(_slides_document(result)))
    else:
        if result.moves is not None:
            for chunk in format_runs(result.moves):
                sys.stdout.write(chunk)
            print(flush=True)
        print(translate(messages.slides_found(result)), file=sys.stderr)
    print_stopped(result.stopped_by, result.statistics)
    raise typer.Exit(exit_code(result.stopped_by, result.moves is not None))


def _slides_document(result: SlidesResult) -> dict[str, Any]:
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


def print_stopped(stopped_by: StopReason | None, effort: Statistics) -> None:
    if stopped_by is StopReason.CANCELLED:
        note = messages.interrupted(effort.generated, f"{effort.seconds:.3g}")
        print(translate(note), file=sys.stderr)


def exit_code(stopped_by: StopReason | None, is_answered: bool) -> ExitCode:
    if stopped_by is StopReason.CANCELLED:
        return ExitCode.INTERRUPTED
    return ExitCode.ANSWERED if is_answered else ExitCode.NO_SOLUTION


_DIRECTIONS = {
    "up": Message("way-up", "up"),
    "down": Message("way-down", "down"),
    "left": Message("way-left", "left"),
    "right": Message("way-right", "right"),
}


def hint(board: BoardWords, goal: GoalText = "blank-last", width: Width = None) -> None:
    """Show which tile to move next, and how many moves are left after that.

    On boards of up to 16 cells, the move is the first of a shortest solution. On larger boards, it
    is the first of a good solution that is found within seconds.
    """
    from tilework.core.solver.solve import find_hint

    start = read_board_argument(board, width)
    hint = find_hint(start, read_goal_option(goal, start.size))
    if hint.moves is None:
        print(translate(no_answer(hint.lower_bound, BoundProof.SEARCH)))
        raise typer.Exit(ExitCode.NO_SOLUTION)
    print(translate(already_solved() if hint.solved else _describe_hint(hint, len(hint.moves) - 1)))


def _describe_hint(hint: Hint, left: int) -> Message:
    return Message(
        "hint",
        "move tile {tile} {direction} ({remaining})",
        tile=hint.tile,
        direction=_DIRECTIONS[hint.direction or ""],
        remaining=_describe_remaining(hint, left),
    )


def _describe_remaining(hint: Hint, left: int) -> Message:
    if left == 0:
        return Message("hint-last", "this solves the board")
    if hint.optimal:
        return plural(
            "hint-left", "{count} move left, optimal", "{count} moves left, optimal", count=left
        )
    return plural("hint-left-at-most", "at most {count} more", "at most {count} more", count=left)
