"""The arguments and options of the lab's subcommands."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final

import typer

from tilework.core.arguments import invalid
from tilework.core.cli.boards import STANDARD_INPUT, read_board_argument, read_goal_option
from tilework.core.cli.check import parse_size
from tilework.core.cli.exit_codes import interruptible
from tilework.core.cli.options import option
from tilework.core.cli.terminal import ProgressLine, format_duration
from tilework.core.errors import BoardError, InputError, OptionError
from tilework.core.lab.methods import DEFAULT_METHODS, PUBLISHED_NAMES, Method, pair_methods
from tilework.core.lab.result import RunResult, TraceWindow
from tilework.core.messages import Message
from tilework.core.model.comparisons import RUN_MEMORY_BYTES, Sweep
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import check_solvable
from tilework.core.search.limits import Limits
from tilework.core.settings import Settings

DEFAULT_METHOD: Final = "a-star:manhattan"

_DEFAULTS: Final = Settings.model_construct()  # those of the service, without its environment
MEBIBYTES: Final = RUN_MEMORY_BYTES // 2**20
MAX_CELLS: Final = _DEFAULTS.lab_max_cells

_MAX_LIMIT: Final = 10**12

MethodName = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="METHOD",
        help="An algorithm with its heuristic and its weight or width, as in a-star:manhattan or "
        "weighted-a-star:manhattan:1.5. `tilework lab list` lists the names.",
        show_default="a-star:manhattan",
    ),
]
MethodHeuristic = Annotated[
    str | None,
    option(
        "--heuristic",
        metavar="HEURISTIC",
        help="Heuristic, if --method names none. h1, h2 and h3 select the algorithm "
        "a-star-replace if no method is given.",
    ),
]
Exhaust = Annotated[
    bool,
    typer.Option(
        "--exhaust",
        help="Also search unsolvable boards, until all reachable boards are visited or a limit is "
        "reached.",
    ),
]
RunSeconds = Annotated[
    float, typer.Option("--time-limit", metavar="SECONDS", help="Time limit per run.")
]
RunNodes = Annotated[int, typer.Option("--node-limit", metavar="N", help="Node limit per run.")]
RunMemory = Annotated[
    int,
    typer.Option("--memory-limit", metavar="MiB", help="Memory limit for the nodes of each run."),
]


def combine_method(method: str | None, heuristic: str | None) -> str:
    if heuristic is None:
        return method or DEFAULT_METHOD
    if method is None:
        return heuristic if heuristic in PUBLISHED_NAMES.values() else f"a-star:{heuristic}"
    if ":" in method:
        raise OptionError(
            "two-heuristics",
            "--method {method} already names its heuristic; omit --heuristic {heuristic}",
            method=method[:60],
            heuristic=heuristic[:60],
        )
    return f"{method}:{heuristic}"


def make_limits(seconds: float, nodes: int, mebibytes: int) -> Limits:
    allowed = Message("limit-range", "more than 0 and at most {max}", max=_MAX_LIMIT)
    limits = {"--time-limit": seconds, "--node-limit": nodes, "--memory-limit": mebibytes}
    for name, limit in limits.items():
        if not 0 < limit <= _MAX_LIMIT:
            raise OptionError(invalid(name, limit, allowed))
    return Limits(seconds, nodes, mebibytes * 2**20)


def read_lab_board(words: list[str], width: int | None) -> Board:
    board = read_board_argument(words, width)
    check_fits(board.size)
    return board


def check_fits(size: Size) -> None:
    """Raise BoardError if a size is too large for searches in plain Python."""
    if size.cells > MAX_CELLS:
        raise BoardError(
            "too-large-for-lab",
            "{size} boards are too large for the lab, which accepts up to {max} cells; "
            "tilework solve accepts any size",
            size=size,
            max=MAX_CELLS,
        )


def choose_methods(
    methods: list[str] | None, algorithms: str | None, heuristics: str | None
) -> tuple[Method, ...]:
    """Return the distinct methods that the options select, or the default methods."""
    if methods and (algorithms is not None or heuristics is not None):
        raise OptionError(
            "methods-twice", "give either --method, or --algorithms and --heuristics to combine"
        )
    if heuristics is not None and algorithms is None:
        raise OptionError(
            "heuristics-alone",
            "--heuristics {heuristics} needs algorithms to combine with, as in --algorithms "
            "a-star,ida-star",
            heuristics=heuristics[:60],
        )
    if algorithms is not None:
        return pair_methods(
            _split_names(algorithms), [] if heuristics is None else _split_names(heuristics)
        )
    return tuple(dict.fromkeys(map(Method.from_text, methods or ()))) or DEFAULT_METHODS


def choose_boards(
    words: list[str] | None,
    goal: str,
    width: int | None,
    sweep: int | None,
    options: Mapping[str, str | int | None],
) -> tuple[list[Board], Board]:
    """Return the boards to compare and their goal; `sweep` is the number of random boards."""
    if sweep is not None:
        if words:
            raise InputError(
                "board-and-sweep",
                "give a board or --sweep, not both: {board!r}",
                board=" ".join(words)[:60],
            )
        if width is not None:
            raise OptionError(
                "sweep-width",
                "--width {width} applies to a single board; for a sweep, set the board size with "
                "--size, as in --size 4x3",
                width=width,
            )
        return _draw_boards(goal, sweep, options)
    for name, value in options.items():
        if value is not None:
            raise OptionError(
                "sweep-option",
                "--{name} applies to a sweep; say how many boards, as in --sweep 40",
                name=name,
            )
    if not words and sys.stdin.isatty():
        raise InputError(
            "nothing-to-compare",
            "give a board, as in {example}, or --sweep 40",
            example='tilework compare "8 1 3 / 4 0 2 / 7 6 5"',
        )
    start = read_lab_board(words or [STANDARD_INPUT], width)
    end = read_goal_option(goal, start.size)
    check_solvable(start, end)
    return [start], end


def _draw_boards(
    goal_text: str, boards: int, options: Mapping[str, Any]
) -> tuple[list[Board], Board]:
    values = {name: value for name, value in options.items() if value is not None}
    size = parse_size(values.pop("size", "") or "3x3")
    check_fits(size)
    goal = read_goal_option(goal_text, size)
    return Sweep(boards, **values).draw(goal), goal


def _split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def run_with_progress(
    start: Board,
    goal: Board,
    method: Method,
    limits: Limits,
    window: TraceWindow | None = None,
    *,
    exhaust: bool = False,
) -> RunResult:
    """Run a method to its end or until Ctrl-C, showing the elapsed time on a terminal."""
    from tilework.core.lab.run import run

    with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
        started = time.monotonic()

        def poll() -> bool:
            line.draw(lambda: f"{method.text}   {format_duration(time.monotonic() - started)}")
            return interrupted()

        limits = replace(limits, cancelled=poll)
        return run(start, goal, method, limits, window, exhaust=exhaust)
