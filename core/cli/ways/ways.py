"""``tilework ways``: how many shortest solutions a board has, and which."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tilework.core.cli import phrases
from tilework.core.cli.boards import board_of, goal_of
from tilework.core.cli.files import STANDARD_INPUT
from tilework.core.cli.interrupts import interruptible
from tilework.core.cli.language import say, say_words, word
from tilework.core.cli.options import AsJson, BoardWords, GoalText, TimeLimit, Width
from tilework.core.cli.progress_line import ProgressLine
from tilework.core.cli.tables import print_fields
from tilework.core.cli.ways.limits import code_of, print_stopped
from tilework.core.errors import OptionError
from tilework.core.formats.bound_proof import BoundProof
from tilework.core.messages import Message
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.phrases import slides as slides_of
from tilework.core.puzzle.slides import slides_in
from tilework.core.search.limits import Limits

if TYPE_CHECKING:
    from tilework.core.solver.ways.find import WaysResult
    from tilework.core.solver.ways.shortest_ways import ShortestWays

_LENGTH = word("moves of a shortest solution")
_COUNT = word("shortest solutions")
_BOARDS = word("boards on them")
_FEWEST = word("with the fewest turns")


def ways(
    board: BoardWords,
    goal: GoalText = "blank-last",
    width: Width = None,
    *,
    listed: Annotated[
        int | None,
        typer.Option(
            "--list", min=1, metavar="N", help="Print the first N of them.", show_default=False
        ),
    ] = None,
    fewest_turns: Annotated[
        bool,
        typer.Option("--fewest-turns", help="Print the one that changes direction least often."),
    ] = False,
    dot: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write their graph for Graphviz; - writes it to standard output, alone.",
            show_default=False,
        ),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="MB", help="Of the boards that are kept; 1024.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count the shortest solutions of a board of up to 16 cells, exactly.

    The exit code is 1 where a limit was reached before they were all found.
    """
    start = board_of(board, width)
    end = goal_of(goal, start.size)
    with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
        from tilework.core.solver.ways.find import find_ways

        bytes_ = None if memory_limit is None else memory_limit << 20
        limits = Limits(time_limit, memory_bytes=bytes_, cancelled=interrupted)
        result = find_ways(start, end, limits=limits, progress=line)
    found = result.ways
    if dot == STANDARD_INPUT and found is not None:
        print("\n".join(found.graph().dot()))
    elif as_json:
        print(json.dumps(_record(result, listed, fewest_turns=fewest_turns)))
    elif found is not None:
        _print(found, listed, fewest_turns=fewest_turns)
    if dot not in (None, STANDARD_INPUT) and found is not None:
        _write(Path(str(dot)), found)
    if found is None:
        print(say(_note(result)), file=sys.stderr)
        print_stopped(result.stopped_by, result.statistics)
    raise typer.Exit(code_of(result.stopped_by, found is not None))


def _note(result: WaysResult) -> Message:
    """Say what is known where not all of them were found."""
    if result.moves is not None and len(result.moves) == result.lower_bound:
        return phrases.ways_not_counted(result.lower_bound)
    return phrases.no_answer(result.lower_bound, BoundProof.SEARCH)


def _print(found: ShortestWays, listed: int | None, *, fewest_turns: bool) -> None:
    fields = {
        say_words(_LENGTH): str(found.length),
        say_words(_COUNT): str(found.count()),
        say_words(_BOARDS): str(found.boards),
    }
    if fewest_turns:
        moves = found.fewest_slides()
        slides = say(slides_of(slides_in(moves)))
        fields[say_words(_FEWEST)] = f"{to_letters(moves)} ({slides})"
    print_fields(fields)
    for moves in islice(found.solutions(), listed or 0):
        print(to_letters(moves))


def _record(result: WaysResult, listed: int | None, *, fewest_turns: bool) -> dict[str, Any]:
    found = result.ways
    record: dict[str, Any] = {
        "length": None if found is None else found.length,
        "lower_bound": result.lower_bound,
        "count": None if found is None else found.count(),
        "boards": None if found is None else found.boards,
        "stopped_by": result.stopped_by,
    }
    if found is None:
        return record
    if fewest_turns:
        moves = found.fewest_slides()
        record["fewest_turns"] = {"moves": to_letters(moves), "slides": slides_in(moves)}
    if listed is not None:
        record["solutions"] = [to_letters(one) for one in islice(found.solutions(), listed)]
    return record


def _write(path: Path, found: ShortestWays) -> None:
    text = "\n".join(found.graph().dot()) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OptionError(
            "dot-file",
            "the graph cannot be written to {path!r} ({reason}); name a file that you may write",
            path=str(path),
            reason=error.strerror or type(error).__name__,
        ) from None
