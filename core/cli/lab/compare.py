"""``tilework compare``: compare searches of the lab on one board or many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, product
from operator import attrgetter
from typing import Annotated

import typer

from tilework.core.cli.exit_codes import ExitCode, interruptible
from tilework.core.cli.lab.live_table import LiveTable, describe_progress
from tilework.core.cli.lab.options import (
    MEBIBYTES,
    RunMemory,
    RunNodes,
    RunSeconds,
    choose_boards,
    choose_methods,
    make_limits,
)
from tilework.core.cli.lab.records import (
    Record,
    Run,
    TableFormat,
    board_records,
    check_column,
    failure_notes,
    format_lines,
    sort_records,
    table_columns,
)
from tilework.core.cli.options import GoalText, Width, option
from tilework.core.cli.terminal import ProgressLine
from tilework.core.errors import InputError
from tilework.core.lab.methods import Method
from tilework.core.lab.run import run
from tilework.core.model.comparisons import RUN_NODES, RUN_SECONDS
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits


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
            help="An algorithm with its heuristic and its weight or width, as in a-star:manhattan "
            "or weighted-a-star:manhattan:1.5. Repeat the option for each method.  [default: ten "
            "representative methods]",
        ),
    ] = None,
    algorithms: Annotated[
        str | None,
        option(metavar="A,B", help="Instead of --method: algorithms to combine with --heuristics."),
    ] = None,
    heuristics: Annotated[
        str | None, option(metavar="M,N", help="Heuristics to combine.  [default: manhattan]")
    ] = None,
    goal: GoalText = "blank-last",
    width: Width = None,
    time_limit: RunSeconds = RUN_SECONDS,
    node_limit: RunNodes = RUN_NODES,
    memory_limit: RunMemory = MEBIBYTES,
    output: Annotated[
        TableFormat, typer.Option("--format", help="Format of the table.")
    ] = TableFormat.TABLE,
    sort: Annotated[
        str | None,
        option(
            metavar="COLUMN",
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
    methods = choose_methods(method, algorithms, heuristics)
    limits = make_limits(time_limit, node_limit, memory_limit)
    options = {"size": size, "moves": moves, "seed": seed}
    boards, end = choose_boards(board, goal, width, sweep, options)
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
            with ProgressLine(sys.stderr) as line:

                def draw(number: int, method: Method) -> None:
                    line.draw(lambda: describe_progress(number, total, method))

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
