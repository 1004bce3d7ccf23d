"""``tilework compare``: searches of the lab side by side, on a board or on many."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Annotated, Final, NamedTuple, Self

import typer
from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from tilework.core.cli.exit_codes import ExitCode, interruptible
from tilework.core.cli.lab.options import (
    MEBIBYTES,
    NODES,
    SECONDS,
    RunMemory,
    RunNodes,
    RunSeconds,
    boards_chosen,
    limits_of,
    methods_chosen,
)
from tilework.core.cli.lab.records import (
    Column,
    Record,
    Run,
    TableFormat,
    check_column,
    columns_of,
    lines_of,
    notes_of,
    records_of,
    sorted_by,
    under_way,
)
from tilework.core.cli.language import gettext, translate
from tilework.core.cli.options import GoalText, Width, option
from tilework.core.cli.terminal import ProgressLine, clock
from tilework.core.errors import InputError
from tilework.core.lab.method import Method
from tilework.core.lab.run import run
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits


def compare(
    board: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BOARD|FILE|-]",
            help="The board in any format, quoted or as several words; a file with one; or - for "
            "standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    method: Annotated[
        list[str] | None,
        option(
            metavar="METHOD",
            help="An algorithm, its heuristic, its weight or width: a-star:manhattan, "
            "weighted-a-star:manhattan:1.5. Give it again for each method; ten that differ "
            "without it.",
        ),
    ] = None,
    algorithms: Annotated[
        str | None, option(metavar="A,B", help="Instead of methods: pair each with ...")
    ] = None,
    heuristics: Annotated[
        str | None, option(metavar="M,N", help="... each of these; manhattan if not given.")
    ] = None,
    goal: GoalText = "blank-last",
    width: Width = None,
    time_limit: RunSeconds = SECONDS,
    node_limit: RunNodes = NODES,
    memory_limit: RunMemory = MEBIBYTES,
    output: Annotated[
        TableFormat, typer.Option("--format", help="How to write the rows.")
    ] = TableFormat.TABLE,
    sort: Annotated[
        str | None,
        option(
            metavar="COLUMN",
            help="Least first: by visited, generated, max_frontier, seconds, length or any other "
            "column of CSV.",
        ),
    ] = None,
    sweep: Annotated[
        int | None,
        option(
            metavar="N", help="Instead of a board: so many random ones, those near the goal first."
        ),
    ] = None,
    size: Annotated[str | None, option(metavar="SIZE", help="Of a sweep's boards; 3x3.")] = None,
    moves: Annotated[
        int | None, option(metavar="N", help="Random moves to a sweep's last board; 120.")
    ] = None,
    seed: Annotated[int | None, option(metavar="N", help="Of a sweep; 1.")] = None,
) -> None:
    """Run textbook searches on a board, side by side.

    `tilework lab list` has the algorithms and heuristics. Ctrl-C ends the run at hand.
    """
    check_column(sort)
    methods = methods_chosen(method, algorithms, heuristics)
    limits = limits_of(time_limit, node_limit, memory_limit)
    many = sweep is not None
    options = {"size": size, "moves": moves, "seed": seed}
    boards, end = boards_chosen(board, goal, width, sweep, options)
    comparison = _Comparison(boards, end, methods, limits)
    total = len(boards) * len(methods)
    with interruptible() as interrupted:
        if output is TableFormat.TABLE and sys.stdout.isatty():
            table = _GrowingTable(columns_of(sweep=many), total)
            records = _grow(comparison.runs(table.watch, interrupted), table, sort)
        else:
            records = []
            with ProgressLine(sys.stderr) as line:

                def watch(place: int, method: Method) -> None:
                    line.draw(lambda: under_way(place, total, method))

                runs = comparison.runs(watch, interrupted)
                by_board = _by_board(runs, len(methods), sort, records)
                for text in lines_of(output, by_board, end.size, sweep=many):
                    print(text, flush=True)
        stopped = interrupted()
    if output is TableFormat.TABLE:
        for note in notes_of(records):
            print(note, file=sys.stderr)
    if stopped:
        raise typer.Exit(ExitCode.INTERRUPTED)


Watch = Callable[[int, Method], object]
"""Gets the number of a run, from 1, at its start and about a hundred times a second."""


@dataclass(frozen=True, slots=True)
class _Comparison:
    boards: Sequence[Board]  # solvable, all of the goal's size
    goal: Board
    methods: Sequence[Method]
    limits: Limits  # of each run

    def runs(self, watch: Watch, interrupted: Callable[[], bool]) -> Iterator[Run]:
        """Yield the runs as they end, board by board; the one that is interrupted is the last."""
        pairs = product(enumerate(self.boards), self.methods)
        for place, ((index, board), method) in enumerate(pairs, 1):

            def poll(place: int = place, method: Method = method) -> bool:
                # A search asks every few milliseconds whether to go on: a chance to show progress.
                watch(place, method)
                return interrupted()

            watch(place, method)
            result, fault = None, None
            try:
                result = run(board, self.goal, method, replace(self.limits, cancelled=poll))
            except InputError as error:
                fault = error.message
            yield Run(index, board, method, result, fault)
            if interrupted():
                return


def _by_board(
    runs: Iterator[Run], methods: int, sort: str | None, done: list[Record]
) -> Iterator[list[Record]]:
    """Yield records as their boards are done, or all together where they are sorted."""
    while board := list(islice(runs, methods)):
        records = records_of(board)
        done += records
        if sort is None:
            yield records
    if sort is not None:
        yield sorted_by(sort, done)


def _grow(runs: Iterator[Run], table: _GrowingTable, sort: str | None) -> list[Record]:
    done: list[Record] = []
    board: list[Run] = []
    with table:
        for one in runs:
            if board and board[-1].board_index != one.board_index:
                done += records_of(board)
                board.clear()
            board.append(one)
            table.show(done + records_of(board))
        records = sorted_by(sort, done + records_of(board))
        table.show(records)
    return records


_SECONDS_BETWEEN: Final = 0.25
_LINES_AROUND: Final = 8
"""Lines of the table's frame, its heading and the text below it."""

_LET_GO: Final = (
    *("memory", "branching", "depth", "duplicates", "optimal_length", "generated"),
    *("seconds", "max_frontier", "ended"),
)
"""Columns that are dropped on a narrow terminal, in this order."""

_MEASURED_WIDTH: Final = 1_000


class _Layout(NamedTuple):
    """The columns shown, and whether they stand close, with methods on several lines."""

    columns: tuple[Column, ...]
    close: bool = False


class _GrowingTable:
    """The table and the run under way: the last rows that fit the screen, all at the end."""

    def __init__(self, columns: Sequence[Column], total: int) -> None:
        self._console = Console(highlight=False, markup=False)
        self._columns = tuple(columns)
        self._total = total
        self._records: Sequence[Record] = ()
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._place = 0
        self._began = self._drawn = 0.0

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        if self._records:
            self._print(self._records)

    def watch(self, place: int, method: Method) -> None:
        """Draw again, at most four times a second."""
        now = time.monotonic()
        if place != self._place:
            self._place, self._began = place, now
        if now - self._drawn >= _SECONDS_BETWEEN:
            self._drawn = now
            at_work = f"{under_way(place, self._total, method)}   {clock(now - self._began)}"
            most = max(1, self._console.height - _LINES_AROUND)
            layout = self._layout(self._records[-most:])
            rows = self._records[-(max(1, most // 2) if layout.close else most) :]
            shown = self._table(rows, layout)
            self._live.update(Group(shown, at_work), refresh=True)

    def show(self, records: Sequence[Record]) -> None:
        self._records = records
        self._drawn = 0.0

    def _print(self, records: Sequence[Record]) -> None:
        layout = self._layout(records)
        self._console.print(self._table(records, layout))
        missing = [gettext(one.heading) for one in self._columns if one not in layout.columns]
        if missing:
            names = ", ".join(missing)
            wider = Message(
                "wider-terminal", "A wider terminal also shows {columns}.", columns=names
            )
            self._console.print(translate(wider))

    def _layout(self, records: Sequence[Record]) -> _Layout:
        unbounded = self._console.options.update_width(_MEASURED_WIDTH)
        for layout in self._layouts():
            table = self._table(records, layout)
            if self._console.measure(table, options=unbounded).maximum <= self._console.width:
                break
        return layout

    def _layouts(self) -> Iterator[_Layout]:
        yield _Layout(self._columns)
        for count in range(len(_LET_GO) + 1):
            kept = (one for one in self._columns if one.name not in _LET_GO[:count])
            yield _Layout(tuple(kept), close=True)

    def _table(self, records: Sequence[Record], layout: _Layout) -> Table:
        gap = 0 if layout.close else 1
        table = Table(box=box.SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False)
        for column in layout.columns:
            words = column.name in ("method", "ended")
            heading = gettext(column.heading).replace(" ", "\n")
            table.add_column(heading, justify="left" if words else "right", no_wrap=True)
        for record in records:
            cells = [column.words(record) for column in layout.columns]
            if layout.close:
                place = [column.name for column in layout.columns].index("method")
                cells[place] = cells[place].replace(":", ":\n", 1)
            table.add_row(*cells)
        return table
