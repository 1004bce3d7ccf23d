"""``tilework compare``: compare searches of the lab on one board or many."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, product
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple, Self

import typer
from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from tilework.core.cli.boards import STANDARD_INPUT, read_goal_option
from tilework.core.cli.check import parse_size
from tilework.core.cli.completion import (
    columns,
    complete,
    lab_algorithms,
    lab_heuristics,
    methods,
)
from tilework.core.cli.console import (
    ExitCode,
    ProgressLine,
    format_duration,
    gettext,
    interruptible,
    translate,
)
from tilework.core.cli.options import (
    GoalText,
    RunMemory,
    RunNodes,
    RunSeconds,
    Width,
    format_or_json,
    option,
)
from tilework.core.cli.runs import (
    HEADINGS,
    MEBIBYTES,
    Record,
    Run,
    TableFormat,
    board_records,
    check_column,
    check_fits,
    failure_notes,
    format_cell,
    format_lines,
    make_limits,
    read_lab_board,
    sort_records,
    table_columns,
)
from tilework.core.errors import InputError, OptionError
from tilework.core.lab.methods import DEFAULT_METHODS, Method, pair_methods
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
            autocompletion=complete(methods),
            help="An algorithm with its heuristic and its weight or width, as in a-star:manhattan "
            "or weighted-a-star:manhattan:1.5. Repeat the option for each method.  [default: ten "
            "representative methods]",
        ),
    ] = None,
    algorithms: Annotated[
        str | None,
        option(
            metavar="A,B",
            autocompletion=complete(lab_algorithms),
            help="Instead of --method: algorithms to combine with --heuristics.",
        ),
    ] = None,
    heuristics: Annotated[
        str | None,
        option(
            metavar="M,N",
            autocompletion=complete(lab_heuristics),
            help="Heuristics to combine.  [default: manhattan]",
        ),
    ] = None,
    goal: GoalText = "blank-last",
    width: Width = None,
    time_limit: RunSeconds = RUN_SECONDS,
    node_limit: RunNodes = RUN_NODES,
    memory_limit: RunMemory = MEBIBYTES,
    output: Annotated[
        TableFormat,
        typer.Option("--format", callback=format_or_json, help="Format of the table."),
    ] = TableFormat.TABLE,
    sort: Annotated[
        str | None,
        option(
            metavar="COLUMN",
            autocompletion=complete(columns),
            help="Sort ascending by visited, generated, max_frontier, seconds, length or any other "
            "column of the CSV.",
        ),
    ] = None,
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
    check_column(sort)
    methods = _choose_methods(method, algorithms, heuristics)
    limits = make_limits(time_limit, node_limit, memory_limit)
    options = {"size": size, "moves": moves, "seed": seed}
    boards, end = _choose_boards(board, goal, width, sweep, options)
    total = len(boards) * len(methods)
    records: list[Record] = []
    with interruptible() as interrupted:
        if output is TableFormat.TABLE and sys.stdout.isatty():
            with LiveTable(table_columns(sweep=sweep is not None), total) as table:
                runs = _run_all(
                    boards, end, methods, limits, on_tick=table.redraw, interrupted=interrupted
                )
                for _, board_runs in groupby(runs, attrgetter("board_index")):
                    finished: list[Run] = []
                    for board_run in board_runs:
                        finished.append(board_run)
                        table.show(records + board_records(finished))
                    records += board_records(finished)
                table.show(sort_records(sort, records))
        else:
            with ProgressLine() as line:

                def draw(number: int, method: Method) -> None:
                    line.draw(lambda: _describe_progress(number, total, method))

                runs = _run_all(boards, end, methods, limits, on_tick=draw, interrupted=interrupted)
                rows = _collect_records(runs, sort, records)
                for text in format_lines(output, rows, end.size, sweep=sweep is not None):
                    print(text, flush=True)
        was_interrupted = interrupted()
    if output is TableFormat.TABLE:
        for note in failure_notes(records):
            print(note, file=sys.stderr)
    if was_interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _run_all(
    boards: Sequence[Board],
    goal: Board,
    methods: Sequence[Method],
    limits: Limits,
    *,
    on_tick: Callable[[int, Method], object],
    interrupted: Callable[[], bool],
) -> Iterator[Run]:
    """Yield the runs board by board; an interrupted run is the last.

    `on_tick` is called about a hundred times per second with the current run's number, from 1.
    """
    pairs = product(enumerate(boards), methods)
    for number, ((index, board), method) in enumerate(pairs, 1):

        def poll(number: int = number, method: Method = method) -> bool:
            # A search polls every few milliseconds, which is also when progress is shown.
            on_tick(number, method)
            return interrupted()

        on_tick(number, method)
        result, failure = None, None
        try:
            result = run(board, goal, method, replace(limits, cancelled=poll))
        except InputError as error:
            failure = error.message
        yield Run(index, board, method, result, failure)
        if interrupted():
            return


def _collect_records(
    runs: Iterator[Run], sort: str | None, collected: list[Record]
) -> Iterator[Record]:
    """Yield records as their boards are finished, or all at the end if they are sorted."""
    for _, board_runs in groupby(runs, attrgetter("board_index")):
        records = board_records(list(board_runs))
        collected += records
        if sort is None:
            yield from records
    if sort is not None:
        yield from sort_records(sort, collected)


def _choose_methods(
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


def _choose_boards(
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
    values |= {"boards": boards, "width": size.width, "height": size.height}
    names = {"boards": "--sweep", "moves": "--moves", "seed": "--seed"}
    return validate(Sweep, values, names).draw(goal), goal


def _split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _describe_progress(number: int, total: int, method: Method) -> str:
    return translate(
        Message(
            "run-under-way",
            "{position} of {total}: {method}",
            position=number,
            total=total,
            method=method.text,
        )
    )


_REFRESH_S: Final = 0.25
_LINES_AROUND: Final = 8
"""Lines of the table's frame, its heading and the text below it."""

_DROPPED_FIRST: Final = (
    *("memory", "branching", "depth", "duplicates", "optimal_length", "generated"),
    *("seconds", "max_frontier", "ended"),
)
"""Columns that are dropped on a narrow terminal, in this order."""

_MEASURED_WIDTH: Final = 1_000


class _Layout(NamedTuple):
    columns: tuple[str, ...]
    compact: bool = False  # without padding, and with methods on two lines


class LiveTable:
    """A table that shows the latest rows and the current run, and all rows at the end."""

    def __init__(self, columns: tuple[str, ...], total: int) -> None:
        self._console = Console(highlight=False, markup=False)
        self._columns = columns
        self._total = total
        self._records: Sequence[Record] = ()
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._number = 0
        self._started_at = self._drawn_at = 0.0

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        if self._records:
            self._print()

    def redraw(self, number: int, method: Method) -> None:
        """Redraw the table, at most four times per second."""
        now = time.monotonic()
        if number != self._number:
            self._number, self._started_at = number, now
        if now - self._drawn_at < _REFRESH_S:
            return
        self._drawn_at = now
        elapsed = format_duration(now - self._started_at)
        status = f"{_describe_progress(number, self._total, method)}   {elapsed}"
        room = max(1, self._console.height - _LINES_AROUND)
        layout = self._choose_layout(self._records[-room:])
        rows = self._records[-(max(1, room // 2) if layout.compact else room) :]
        self._live.update(Group(self._table(rows, layout), status), refresh=True)

    def show(self, records: Sequence[Record]) -> None:
        self._records = records
        self._drawn_at = 0.0

    def _print(self) -> None:
        layout = self._choose_layout(self._records)
        self._console.print(self._table(self._records, layout))
        dropped = [
            gettext(HEADINGS[column]) for column in self._columns if column not in layout.columns
        ]
        if dropped:
            names = ", ".join(dropped)
            wider = Message(
                "wider-terminal", "A wider terminal also shows {columns}.", columns=names
            )
            self._console.print(translate(wider))

    def _choose_layout(self, records: Sequence[Record]) -> _Layout:
        """Return the first layout that fits the terminal, or the narrowest one."""
        unbounded = self._console.options.update_width(_MEASURED_WIDTH)
        layout = _Layout(self._columns)
        for count in range(-1, len(_DROPPED_FIRST) + 1):
            if count >= 0:
                dropped = _DROPPED_FIRST[:count]
                columns = tuple(column for column in self._columns if column not in dropped)
                layout = _Layout(columns, compact=True)
            table = self._table(records, layout)
            if self._console.measure(table, options=unbounded).maximum <= self._console.width:
                break
        return layout

    def _table(self, records: Sequence[Record], layout: _Layout) -> Table:
        gap = 0 if layout.compact else 1
        table = Table(box=box.SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False)
        for column in layout.columns:
            heading = gettext(HEADINGS[column]).replace(" ", "\n")
            is_text = column in ("method", "ended")
            table.add_column(heading, justify="left" if is_text else "right", no_wrap=True)
        for record in records:
            cells = {column: format_cell(column, record) for column in layout.columns}
            if layout.compact:
                cells["method"] = cells["method"].replace(":", ":\n", 1)
            table.add_row(*cells.values())
        return table
