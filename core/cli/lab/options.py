"""The arguments and options of the lab's subcommands, and how they are parsed."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from tilework.core.cli.boards import board_of
from tilework.core.errors import BoardError, OptionError
from tilework.core.lab.names import PUBLISHED_NAMES
from tilework.core.puzzle.board import Board, Size
from tilework.core.search.limits import Limits

DEFAULT_METHOD: Final = "a-star:manhattan"
SECONDS: Final = 10.0
NODES: Final = 2_000_000
MEBIBYTES: Final = 512
MAX_CELLS: Final = 400

_MOST: Final = 10**12

MethodName = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="METHOD",
        help="An algorithm, its heuristic, its weight or width: a-star:manhattan, "
        "weighted-a-star:manhattan:1.5. `tilework lab list` has the names.",
        show_default="a-star:manhattan",
    ),
]
MethodHeuristic = Annotated[
    str | None,
    typer.Option(
        "--heuristic",
        metavar="HEURISTIC",
        help="Of the method, if that names none. h1, h2 and h3 alone mean the program that calls "
        "them so: a-star-replace.",
        show_default=False,
    ),
]
Exhaust = Annotated[
    bool,
    typer.Option(
        "--exhaust",
        help="Search a board that cannot reach its goal, too: all that it can reach, or up to a "
        "limit.",
    ),
]
RunSeconds = Annotated[
    float, typer.Option("--time-limit", metavar="SECONDS", help="Seconds of each run.")
]
RunNodes = Annotated[
    int, typer.Option("--node-limit", metavar="N", help="Nodes that each run may generate.")
]
RunMemory = Annotated[
    int, typer.Option("--memory-limit", metavar="MB", help="What each run's nodes may take.")
]


def method_text(method: str | None, heuristic: str | None) -> str:
    """Return the method that two options name.

    Raises
    ------
    OptionError
        If both name a heuristic.
    """
    if heuristic is None:
        return method or DEFAULT_METHOD
    if method is None:
        return heuristic if heuristic in PUBLISHED_NAMES.values() else f"a-star:{heuristic}"
    if ":" in method:
        raise OptionError(
            "two-heuristics",
            "--method {method} names its heuristic; leave out --heuristic {heuristic}",
            method=method[:60],
            heuristic=heuristic[:60],
        )
    return f"{method}:{heuristic}"


def limits_of(seconds: float, nodes: int, mebibytes: int) -> Limits:
    """Return the limits of each run.

    Raises
    ------
    OptionError
        For one that is not a number over 0.
    """
    if not 0 < seconds <= _MOST:
        raise OptionError(
            "run-time-limit",
            "invalid time limit {limit} s; give more than 0 and at most {most} s",
            limit=str(seconds)[:40],
            most=_MOST,
        )
    if not 0 < nodes <= _MOST:
        raise OptionError(
            "run-node-limit",
            "invalid limit of {limit} nodes; give more than 0 and at most {most}",
            limit=str(nodes)[:40],
            most=_MOST,
        )
    if not 0 < mebibytes <= _MOST:
        raise OptionError(
            "run-memory-limit",
            "invalid memory limit {limit} MiB; give more than 0 and at most {most} MiB",
            limit=str(mebibytes)[:40],
            most=_MOST,
        )
    return Limits(seconds, nodes, mebibytes * 2**20)


def lab_board_of(words: list[str], width: int | None) -> Board:
    """Read a board that the lab's searches are to solve.

    Raises
    ------
    InputError
        If it is neither a readable file nor a board, or is too large for them.
    """
    board = board_of(words, width)
    check_fits(board.size)
    return board


def check_fits(size: Size) -> None:
    """Refuse a size that plain Python is too slow for.

    Raises
    ------
    BoardError
        If it has more cells than the lab takes.
    """
    if size.cells > MAX_CELLS:
        raise BoardError(
            "too-large-for-lab",
            "a board of {size} is too large for the lab, which accepts up to {most} cells; "
            "tilework solve accepts any size",
            size=size,
            most=MAX_CELLS,
        )
