"""``tilework compare``: searches of the lab side by side, on a board or on many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from typing import Annotated

import typer

from tilework.core.cli.exits import ExitCode, interruptible
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
from tilework.core.cli.options import GoalText, Width, option
from tilework.core.cli.terminal import ProgressLine
from tilework.core.errors import InputError
from tilework.core.lab.method import Method
from tilework.core.lab.run import run
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
    comparison = Comparison(boards, end, methods, limits)
    with interruptible() as interrupted:
        if output is TableFormat.TABLE and sys.stdout.isatty():
            records = _grow(comparison, interrupted, sort, sweep=many)
        else:
            records = _stream(comparison, interrupted, sort, output, sweep=many)
        stopped = interrupted()
    if output is TableFormat.TABLE:
        for note in notes_of(records):
            print(note, file=sys.stderr)
    if stopped:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _grow(
    comparison: Comparison, interrupted: Callable[[], bool], sort: str | None, *, sweep: bool
) -> list[Record]:
    from tilework.core.cli.lab.run_table import GrowingTable

    before: list[Record] = []
    board: list[Run] = []
    with GrowingTable(columns_of(sweep=sweep), comparison.total) as table:
        for run in comparison.runs(table.watch, interrupted):
            if board and board[-1].board_index != run.board_index:
                before += records_of(board)
                board.clear()
            board.append(run)
            table.show(before + records_of(board))
        records = sorted_by(sort, before + records_of(board))
        table.show(records)
    return records


def _stream(
    comparison: Comparison,
    interrupted: Callable[[], bool],
    sort: str | None,
    output: TableFormat,
    *,
    sweep: bool,
) -> list[Record]:
    """Print rows as their boards are done, or all together where they are sorted; return them."""
    done: list[Record] = []
    with ProgressLine(sys.stderr) as line:

        def watch(place: int, method: Method) -> None:
            line.draw(lambda: under_way(place, comparison.total, method))

        def boards() -> Iterator[list[Record]]:
            for board in comparison.boards_done(watch, interrupted):
                done.extend(board)
                if sort is None:
                    yield board
            if sort is not None:
                yield sorted_by(sort, done)

        for text in lines_of(output, boards(), comparison.goal.size, sweep=sweep):
            print(text, flush=True)
    return done


Watch = Callable[[int, Method], object]
"""Gets the number of a run, from 1, at its start and about a hundred times a second."""


@dataclass(frozen=True, slots=True)
class Comparison:
    boards: Sequence[Board]  # solvable, all of the goal's size
    goal: Board
    methods: Sequence[Method]
    limits: Limits = field(default_factory=Limits)  # of each run

    @property
    def total(self) -> int:
        return len(self.boards) * len(self.methods)

    def runs(self, watch: Watch, interrupted: Callable[[], bool]) -> Iterator[Run]:
        """Yield the runs as they end, board by board; the one that is interrupted is the last."""
        pairs = product(enumerate(self.boards), self.methods)
        for place, ((index, board), method) in enumerate(pairs, 1):
            watch(place, method)
            poll = partial(_poll, watch, place, method, interrupted)
            result, fault = None, None
            try:
                result = run(board, self.goal, method, replace(self.limits, cancelled=poll))
            except InputError as error:
                fault = error.message
            yield Run(index, board, method, result, fault)
            if interrupted():
                return

    def boards_done(self, watch: Watch, interrupted: Callable[[], bool]) -> Iterator[list[Record]]:
        runs = self.runs(watch, interrupted)
        while done := list(islice(runs, len(self.methods))):
            yield records_of(done)


def _poll(watch: Watch, place: int, method: Method, interrupted: Callable[[], bool]) -> bool:
    # A search asks every few milliseconds whether to go on: a chance to show its progress.
    watch(place, method)
    return interrupted()
