"""``tilework compare``: compare searches of the lab on one board or many."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import Annotated, Any, Final

import typer
from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from tilework.core.cli import options
from tilework.core.cli.boards import STANDARD_INPUT, read_goal_option
from tilework.core.cli.check import parse_size
from tilework.core.cli.console import (
    ExitCode,
    ProgressLine,
    gettext,
    interruptible,
    translate,
)
from tilework.core.cli.lab.runs import (
    HEADINGS,
    MEBIBYTES,
    Run,
    TableFormat,
    check_fits,
    failure_notes,
    format_cell,
    format_lines,
    make_limits,
    make_records,
    read_lab_board,
    table_columns,
)
from tilework.core.cli.options import format_or_json, option
from tilework.core.errors import InputError, OptionError
from tilework.core.lab.methods import DEFAULT_METHODS, Method
from tilework.core.lab.run import run
from tilework.core.messages import Message
from tilework.core.model.comparisons import RUN_NODES, RUN_SECONDS, Sweep
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_solvable
from tilework.core.search.limits import Limits
from tilework.core.validation import validate


def compare(
    board: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BOARD|FILE|-]",
            help="The board in any format, quoted or as several words; a file that contains one; "
            "or - for standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    method: Annotated[
        list[str] | None,
        option(
            metavar="METHOD",
            autocompletion=options.complete_method,
            help="An algorithm with its heuristic and its weight or width, as in a-star:manhattan "
            "or weighted-a-star:manhattan:1.5; several with commas, or the option repeated.  "
            "[default: ten representative methods]",
        ),
    ] = None,
    goal: options.GoalText = "blank-last",
    width: options.Width = None,
    time_limit: options.RunSeconds = RUN_SECONDS,
    node_limit: options.RunNodes = RUN_NODES,
    memory_limit: options.RunMemory = MEBIBYTES,
    output: Annotated[
        TableFormat,
        typer.Option("--format", callback=format_or_json, help="Format of the table."),
    ] = TableFormat.TABLE,
    sweep: Annotated[
        int | None,
        option(metavar="N", help="Instead of a board: number of random boards, from easy to hard."),
    ] = None,
    size: Annotated[
        str | None, option(metavar="SIZE", help="Size of the random boards.  [default: 3x3]")
    ] = None,
    moves: Annotated[
        int | None,
        option(metavar="N", help="Random moves of the last random board.  [default: 120]"),
    ] = None,
    seed: Annotated[
        int | None, option(metavar="N", help="Seed of the random boards.  [default: 1]")
    ] = None,
) -> None:
    """Run textbook searches on a board, side by side.

    `tilework lab list` lists the algorithms and heuristics. Ctrl-C ends the current run.
    """
    names = [name.strip() for names in method or () for name in names.split(",")]
    chosen = tuple(dict.fromkeys(map(Method.from_text, names))) or DEFAULT_METHODS
    limits = make_limits(time_limit, node_limit, memory_limit)
    drawn = {"size": size, "moves": moves, "seed": seed}
    boards, end = _choose_boards(board, goal, width, sweep, drawn)
    columns = table_columns(sweep=sweep is not None)
    runs: list[Run] = []
    with interruptible() as interrupted:

        def run_all(on_tick: Callable[[str], object]) -> Iterator[Run]:
            for finished in _run_all(
                boards, end, chosen, limits, on_tick=on_tick, interrupted=interrupted
            ):
                runs.append(finished)
                yield finished

        if output is TableFormat.TABLE and sys.stdout.isatty():
            with _live_table(columns, runs, len(chosen)) as tick:
                for _ in run_all(tick):
                    pass
        else:
            with ProgressLine() as line:
                records = make_records(run_all(lambda status: line.draw(lambda: status)))
                for text in format_lines(output, records, end.size, columns):
                    print(text, flush=True)
        was_interrupted = interrupted()
    if output is TableFormat.TABLE:
        for note in failure_notes(make_records(runs)):
            print(note, file=sys.stderr)
    if was_interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _run_all(
    boards: Sequence[Board],
    goal: Board,
    methods: Sequence[Method],
    limits: Limits,
    *,
    on_tick: Callable[[str], object],
    interrupted: Callable[[], bool],
) -> Iterator[Run]:
    """Yield the runs board by board; an interrupted run is the last.

    `on_tick` is called about a hundred times per second with what is being run.
    """
    total = len(boards) * len(methods)
    for number, ((index, board), method) in enumerate(product(enumerate(boards), methods), 1):
        status = translate(
            Message(
                "run-under-way",
                "{position} of {total}: {method}",
                position=number,
                total=total,
                method=method.text,
            )
        )

        def poll(status: str = status) -> bool:
            # A search polls every few milliseconds, which is also when progress is shown.
            on_tick(status)
            return interrupted()

        on_tick(status)
        result, failure = None, None
        try:
            result = run(board, goal, method, replace(limits, cancelled=poll))
        except InputError as error:
            failure = error.message
        yield Run(index, board, method, result, failure)
        if interrupted():
            return


def _choose_boards(
    words: list[str] | None,
    goal: str,
    width: int | None,
    sweep: int | None,
    drawn: Mapping[str, str | int | None],
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
        return _draw_boards(goal, sweep, drawn)
    for name, value in drawn.items():
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
    goal_text: str, boards: int, drawn: Mapping[str, Any]
) -> tuple[list[Board], Board]:
    values = {name: value for name, value in drawn.items() if value is not None}
    size = parse_size(values.pop("size", "") or "3x3")
    check_fits(size)
    goal = read_goal_option(goal_text, size)
    values |= {"boards": boards, "width": size.width, "height": size.height}
    names = {"boards": "--sweep", "moves": "--moves", "seed": "--seed"}
    return validate(Sweep, values, names).draw(goal), goal


_REFRESH_S: Final = 0.25
_LINES_AROUND: Final = 8
"""Lines of the table's frame, its heading and the text below it."""

_WIDE: Final = 130
"""Terminals of this many columns show all columns of the table."""

_ONLY_WIDE: Final = {"optimal_length", "generated", "duplicates", "depth", "branching", "memory"}


@contextmanager
def _live_table(
    columns: Sequence[str], runs: Sequence[Run], methods: int
) -> Iterator[Callable[[str], None]]:
    """Show the latest of a growing list of runs and the current one, and all runs at the end.

    Yield the function that redraws the table, at most four times per second.
    """
    console = Console(highlight=False, markup=False)
    if console.width < _WIDE:
        columns = [column for column in columns if column not in _ONLY_WIDE]
    drawn_at = 0.0

    def make_table(rows: int | None = None) -> Table:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        for column in columns:
            is_text = column in ("method", "ended")
            table.add_column(
                gettext(HEADINGS[column]).replace(" ", "\n"),
                justify="left" if is_text else "right",
                overflow="fold",
            )
        # Those of the first board in the table are complete, because they are compared.
        latest = runs if rows is None else runs[-rows - methods :]
        records = list(make_records(latest))
        for record in records if rows is None else records[-rows:]:
            table.add_row(*(format_cell(column, record) for column in columns))
        return table

    with Live(console=console, auto_refresh=False, transient=True) as live:

        def tick(status: str) -> None:
            nonlocal drawn_at
            if time.monotonic() - drawn_at >= _REFRESH_S:
                drawn_at = time.monotonic()
                table = make_table(max(1, console.height - _LINES_AROUND))
                live.update(Group(table, status), refresh=True)

        yield tick
    if runs:
        console.print(make_table())
