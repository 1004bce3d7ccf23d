"""``tilework lab``: the textbook searches by name, one run, and its steps."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from tilework.core.cli.files import STANDARD_INPUT
from tilework.core.cli.lab.catalogue import (
    ALGORITHM_COLUMNS,
    HEURISTIC_COLUMNS,
    algorithm_rows,
    catalogue_document,
    heuristic_rows,
)
from tilework.core.cli.lab.options import (
    MEBIBYTES,
    NODES,
    SECONDS,
    Exhaust,
    MethodHeuristic,
    MethodName,
    RunMemory,
    RunNodes,
    RunSeconds,
    limits_of,
    method_text,
)
from tilework.core.cli.lab.single_run import SingleRun
from tilework.core.cli.lab.trace_text import trace_text
from tilework.core.cli.language import spoken
from tilework.core.cli.options import AsJson, BoardWords, GoalText, Mover, MoverName, Width
from tilework.core.cli.tables import print_rows
from tilework.core.errors import OptionError
from tilework.core.formats.solution_formats import SolutionFormat, write_solution
from tilework.core.lab.trace import TraceWindow

app = typer.Typer(
    help="List the lab's searches, run one, or show its steps.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(name="list")
def list_(*, as_json: AsJson = False) -> None:
    """List algorithms and heuristics, and what they promise."""
    if as_json:
        print(json.dumps(catalogue_document()))
        return
    print_rows(ALGORITHM_COLUMNS, algorithm_rows())
    print()
    print_rows(HEURISTIC_COLUMNS, heuristic_rows())


@app.command()
def run(
    board: BoardWords = [STANDARD_INPUT],  # noqa: B006 - typer copies it
    *,
    method: MethodName = None,
    heuristic: MethodHeuristic = None,
    goal: GoalText = "blank-last",
    width: Width = None,
    time_limit: RunSeconds = SECONDS,
    node_limit: RunNodes = NODES,
    memory_limit: RunMemory = MEBIBYTES,
    exhaust: Exhaust = False,
    output: Annotated[
        SolutionFormat | None,
        typer.Option("--format", help="How to write the solution; udlr.", show_default=False),
    ] = None,
    by: MoverName = Mover.TILE,
    as_json: AsJson = False,
) -> None:
    """Run one search on a board: the solution, and what it cost on standard error.

    With --json, one object has both.
    """
    if as_json and output is not None:
        raise OptionError(
            "json-and-format",
            "--json writes the moves as letters; leave out --format {format}",
            format=output,
        )
    named = method_text(method, heuristic)
    limits = limits_of(time_limit, node_limit, memory_limit)
    done = SingleRun.of(board, goal, width, method_text=named, limits=limits, exhaust=exhaust)
    moves = done.result.moves
    if as_json:
        record = done.record | {"moves": done.letters(by_blank=by is Mover.BLANK)}
        print(json.dumps(record, default=str))
    elif moves is not None:
        for chunk in write_solution(
            output or SolutionFormat.UDLR,
            done.start,
            moves,
            done.goal,
            language=spoken(),
            blank_moves=by is Mover.BLANK,
            lower_bound=len(moves) if done.result.optimal else None,
            effort=done.effort,
        ):
            sys.stdout.write(chunk)
    _end(done, silent=as_json)


@app.command()
def trace(
    board: BoardWords = [STANDARD_INPUT],  # noqa: B006 - typer copies it
    *,
    method: MethodName = None,
    heuristic: MethodHeuristic = None,
    goal: GoalText = "blank-last",
    width: Width = None,
    time_limit: RunSeconds = SECONDS,
    node_limit: RunNodes = NODES,
    memory_limit: RunMemory = MEBIBYTES,
    exhaust: Exhaust = False,
    first: Annotated[int, typer.Option(metavar="K", help="Show the first K steps.")] = 20,
    last: Annotated[int, typer.Option(metavar="K", help="Show the last K steps.")] = 5,
    every: Annotated[
        int, typer.Option(metavar="N", help="Between them show each N-th step; 0 is none.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Show a search step by step: each node expanded, its children, what became of them."""
    window = TraceWindow(first, last, every)
    limits = limits_of(time_limit, node_limit, memory_limit)
    done = SingleRun.of(
        board,
        goal,
        width,
        method_text=method_text(method, heuristic),
        limits=limits,
        window=window,
        exhaust=exhaust,
    )
    steps = done.result.trace
    if as_json and steps is not None:
        print(json.dumps(done.traced(steps), default=str))
    elif steps is not None:
        informed = done.result.method.heuristic is not None
        for line in trace_text(steps, done.start.width, informed=informed):
            print(line)
    _end(done, silent=as_json and steps is not None)


def _end(done: SingleRun, *, silent: bool) -> None:
    if not silent:
        sys.stdout.flush()
        print(done.note, file=sys.stderr)
    raise typer.Exit(done.exit_code)
