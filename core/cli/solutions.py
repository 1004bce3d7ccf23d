"""``tilework hint``, ``ways`` and ``verify``."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tilework.core.cli import options
from tilework.core.cli.answers import (
    already_solved,
    between,
    exit_code,
    no_answer,
    print_interruption,
)
from tilework.core.cli.boards import (
    naming_file,
    read_board_argument,
    read_bytes,
    read_goal_option,
)
from tilework.core.cli.console import (
    ExitCode,
    ProgressLine,
    gettext,
    interruptible,
    print_fields,
    print_note,
    show,
    translate,
)
from tilework.core.cli.options import option
from tilework.core.cli.words import gettext_noop
from tilework.core.formats.certificate import read_certificate
from tilework.core.messages import Message, plural
from tilework.core.puzzle import phrases
from tilework.core.puzzle.hint import Hint
from tilework.core.puzzle.metric import BoundProof, count_slides
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.search.limits import Limits

if TYPE_CHECKING:
    from tilework.core.solver.optimal.proof import Claim
    from tilework.core.solver.shortest_paths.find import ShortestPathsResult


def ways(
    board: options.BoardWords,
    goal: options.GoalText = "blank-last",
    width: options.Width = None,
    *,
    max_listed: Annotated[
        int | None, option("--list", min=1, metavar="N", help="Print the first N solutions.")
    ] = None,
    fewest_turns: Annotated[
        bool,
        typer.Option("--fewest-turns", help="Print a solution with the fewest turns."),
    ] = False,
    dot: Annotated[
        bool,
        typer.Option("--dot", help="Print the graph of all solutions for Graphviz instead."),
    ] = False,
    time_limit: options.TimeLimit = None,
    memory_limit: Annotated[
        int | None, option(min=1, metavar="MiB", help="Memory limit for boards.  [default: 1024]")
    ] = None,
) -> None:
    """Count all shortest solutions of a board of up to 16 cells.

    The exit code is 1 if a limit was reached before all were found.
    """
    start = read_board_argument(board, width)
    end = read_goal_option(goal, start.size)
    with ProgressLine() as line, interruptible() as interrupted:
        from tilework.core.solver.shortest_paths.find import find_shortest_paths

        bytes_ = None if memory_limit is None else memory_limit << 20
        limits = Limits(time_limit, memory_bytes=bytes_, cancelled=interrupted)
        result = find_shortest_paths(start, end, limits=limits, progress=line)
    paths = result.graph
    if dot and paths is not None:
        print(*paths.graph().dot(), sep="\n")
    else:
        record = _make_record(result, max_listed, fewest_turns=fewest_turns)
        show(record, lambda: None if paths is None else _print_ways(record))
    if paths is None:
        print_note(_describe_failure(result))
        print_interruption(result.stopped_by, result.statistics)
    raise typer.Exit(exit_code(result.stopped_by, paths is not None))


def _describe_failure(result: ShortestPathsResult) -> Message:
    if result.moves is not None and len(result.moves) == result.lower_bound:
        return Message(
            "ways-not-counted",
            "the shortest solutions have {moves}, but a limit was reached before all of them were "
            "found",
            moves=phrases.moves(result.lower_bound),
        )
    return no_answer(result.lower_bound, BoundProof.SEARCH)


def _make_record(
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
    if paths is not None and fewest_turns:
        moves = paths.fewest_slides()
        record["fewest_turns"] = {"moves": to_letters(moves), "slides": count_slides(moves)}
    if paths is not None and max_listed is not None:
        record["solutions"] = list(map(to_letters, islice(paths.solutions(), max_listed)))
    return record


def _print_ways(record: dict[str, Any]) -> None:
    fields = {
        gettext("moves of a shortest solution"): str(record["length"]),
        gettext("shortest solutions"): str(record["count"]),
        gettext("boards on these solutions"): str(record["boards"]),
    }
    if (turns := record.get("fewest_turns")) is not None:
        slides = translate(phrases.slides(turns["slides"]))
        fields[gettext("with the fewest turns")] = f"{turns['moves']} ({slides})"
    print_fields(fields)
    for letters in record.get("solutions", []):
        print(letters)


_DIRECTIONS = {
    "up": Message("way-up", "up"),
    "down": Message("way-down", "down"),
    "left": Message("way-left", "left"),
    "right": Message("way-right", "right"),
}


def hint(
    board: options.BoardWords, goal: options.GoalText = "blank-last", width: options.Width = None
) -> None:
    """Show which tile to move next, and how many moves are left after that.

    On boards of up to 16 cells, the move is the first of a shortest solution. On larger boards, it
    is the first of a good solution that is found within seconds.
    """
    from tilework.core.solver.solve import find_hint

    start = read_board_argument(board, width)
    hint = find_hint(start, read_goal_option(goal, start.size))
    document = {
        "solved": hint.solved,
        "tile": hint.tile,
        "direction": hint.direction,
        "lower_bound": hint.lower_bound,
        "upper_bound": hint.upper_bound,
        "optimal": hint.optimal,
        "moves": None if hint.moves is None else to_letters(hint.moves),
    }
    show(document, lambda: print(translate(_describe_hint(hint))))
    raise typer.Exit(ExitCode.NO_SOLUTION if hint.moves is None else ExitCode.ANSWERED)


def _describe_hint(hint: Hint) -> Message:
    if hint.moves is None:
        return no_answer(hint.lower_bound, BoundProof.SEARCH)
    if hint.solved:
        return already_solved()
    return Message(
        "hint",
        "move tile {tile} {direction} ({remaining})",
        tile=hint.tile,
        direction=_DIRECTIONS[hint.direction or ""],
        remaining=_describe_remaining(hint, len(hint.moves) - 1),
    )


def _describe_remaining(hint: Hint, left: int) -> Message:
    if left == 0:
        return Message("hint-last", "this solves the board")
    if hint.optimal:
        return plural(
            "hint-left", "{count} move left, optimal", "{count} moves left, optimal", count=left
        )
    return plural("hint-left-at-most", "at most {count} more", "at most {count} more", count=left)


_MAX_SEED = 1_000_000

_FIELDS = {
    "board": gettext_noop("board"),
    "written by": gettext_noop("written by"),
    "verified by": gettext_noop("verified by"),
    "moves": gettext_noop("moves"),
    "thresholds": gettext_noop("thresholds"),
    "lower bound": gettext_noop("lower bound"),
    "searched again": gettext_noop("searched again"),
    "verdict": gettext_noop("verdict"),
}


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="A certificate file, or - for standard input.")
    ],
    *,
    sample: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of slices to search again.")
    ] = 10,
    seed: Annotated[
        int | None,
        option(
            min=0, metavar="N", help="Seed of the sample; the same seed selects the same slices."
        ),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Search every slice again.")] = False,
    databases: options.DatabasesFolder = None,
) -> None:
    """Check a certificate: replay the moves, check the record, repeat some of the searches.

    The exit code is 0 for a valid certificate, 1 for an invalid one, 2 for any other file.
    """
    content = read_bytes(file)
    with naming_file(file):
        certificate = read_certificate(content)

    from tilework.core.services.certificates.verifier import VerifyOptions, examine

    seed = secrets.randbelow(_MAX_SEED) if seed is None else seed
    chosen = VerifyOptions(None if all_ else sample, seed, databases)
    findings = examine(certificate, chosen, _track)
    metric, upper = certificate.metric, certificate.metric.length(from_letters(certificate.moves))
    if findings.error is not None:
        verdict = Message("not-proved", "not proven: {error}", error=findings.error)
    elif certificate.length == 0:
        verdict = Message("proved", "proven: {fact}", fact=already_solved())
    elif certificate.optimal:
        verdict = Message(
            "proved-optimal",
            "proven: every solution has at least {moves}",
            moves=metric.describe(upper),
        )
    else:
        verdict = Message(
            "proved-bounds",
            "proven: the shortest solution has {moves}",
            moves=between(certificate.lower_bound, upper, metric),
        )
    fields = findings.results | {"verdict": verdict}
    texts = {name: translate(value) for name, value in fields.items()}
    document = {name.replace(" ", "_"): text for name, text in texts.items()}
    show(
        {"valid": findings.error is None, **document},
        lambda: print_fields({gettext(_FIELDS[name]): text for name, text in texts.items()}),
    )
    raise typer.Exit(ExitCode.ANSWERED if findings.error is None else ExitCode.NO_SOLUTION)


def _track(claims: list[Claim]) -> Iterator[Claim]:
    title = gettext("Repeating the search")
    with ProgressLine() as line:
        for number, claim in enumerate(claims, 1):
            line.draw(partial(str, f"{title}: {number} / {len(claims)}"))
            yield claim
