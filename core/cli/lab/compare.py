"""``tilework compare``: searches of the lab side by side, on a board or on many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from tilework.core.cli.exits import ExitCode
from tilework.core.cli.interrupts import interruptible
from tilework.core.cli.lab.choice import SweepOptions, boards_chosen, methods_chosen
from tilework.core.cli.lab.comparing import Comparison
from tilework.core.cli.lab.options import (
    MEBIBYTES,
    NODES,
    SECONDS,
    RunMemory,
    RunNodes,
    RunSeconds,
    limits_of,
)
from tilework.core.cli.lab.run_columns import columns_of, notes_of, under_way
from tilework.core.cli.lab.run_records import Record, Run, check_column, records_of, sorted_by
from tilework.core.cli.lab.run_writers import TableFormat, lines_of
from tilework.core.cli.options import GoalText, Width
from tilework.core.cli.progress_line import ProgressLine
from tilework.core.lab.method import Method


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
        typer.Option(
            metavar="METHOD",
            help="An algorithm, its heuristic, its weight or width: a-star:manhattan, "
            "weighted-a-star:manhattan:1.5. Give it again for each method; ten that differ "
            "without it.",
            show_default=False,
        ),
    ] = None,
    algorithms: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="Instead of methods: pair each with ...", show_default=False
        ),
    ] = None,
    heuristics: Annotated[
        str | None,
        typer.Option(
            metavar="M,N", help="... each of these; manhattan if not given.", show_default=False
        ),
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
        typer.Option(
            metavar="COLUMN",
            help="Least first: by visited, generated, max_frontier, seconds, length or any other "
            "column of CSV.",
            show_default=False,
        ),
    ] = None,
    sweep: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Instead of a board: so many random ones, those near the goal first.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Of a sweep's boards; 3x3.", show_default=False),
    ] = None,
    moves: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Random moves to a sweep's last board; 120.", show_default=False
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Of a sweep; 1.", show_default=False)
    ] = None,
) -> None:
    """Run textbook searches on a board, side by side.

    `tilework lab list` has the algorithms and heuristics. Ctrl-C ends the run at hand.
    """
    check_column(sort)
    methods = methods_chosen(method, algorithms, heuristics)
    limits = limits_of(time_limit, node_limit, memory_limit)
    chosen = boards_chosen(board, goal, width, SweepOptions(sweep, size, moves, seed))
    comparison = Comparison(chosen.boards, chosen.goal, methods, limits)
    many = chosen.sweep is not None
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
    """Show a table that grows; return its rows."""
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
