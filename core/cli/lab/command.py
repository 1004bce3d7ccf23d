"""``tilework lab``: the textbook searches by name, one run, and its steps."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer

from tilework.core.cli.boards import STANDARD_INPUT
from tilework.core.cli.exits import ExitCode
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
from tilework.core.cli.lab.single_run import SingleRun, trace_text
from tilework.core.cli.language import say, say_words, spoken, word
from tilework.core.cli.options import AsJson, BoardWords, GoalText, Mover, MoverName, Width, option
from tilework.core.cli.phrases import run_note
from tilework.core.cli.terminal import print_rows, yes_or_no
from tilework.core.errors import OptionError
from tilework.core.formats.solution_formats import SolutionFormat, write_solution
from tilework.core.lab.method import DEFAULT_METHODS
from tilework.core.lab.names import ALGORITHMS, HEURISTICS, AlgorithmFacts, Parameter, Promise
from tilework.core.lab.trace import TraceWindow
from tilework.core.search.limits import StopReason

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
        SolutionFormat | None, option("--format", help="How to write the solution; udlr.")
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
        print(say(run_note(done.result)), file=sys.stderr)
    if done.result.stopped_by is StopReason.CANCELLED:
        raise typer.Exit(ExitCode.INTERRUPTED)
    raise typer.Exit(ExitCode.NO_SOLUTION if done.result.moves is None else ExitCode.ANSWERED)


ALGORITHM_COLUMNS = {
    "algorithm": word("algorithm"),
    "complete": word("complete"),
    "optimal": word("optimal"),
    "takes": word("takes"),
}
HEURISTIC_COLUMNS = {
    "heuristic": word("heuristic"),
    "title": word("title"),
    "admissible": word("admissible"),
    "consistent": word("consistent"),
}

_OPTIMAL = {
    Promise.ALWAYS: word("yes"),
    Promise.ADMISSIBLE: word("if admissible"),
    Promise.CONSISTENT: word("if consistent"),
    Promise.NEVER: word("no"),
}
_PARAMETERS = {Parameter.WEIGHT: word("weight"), Parameter.WIDTH: word("width")}


def algorithm_rows() -> list[list[str]]:
    return [
        [name, yes_or_no(facts.complete), say_words(_OPTIMAL[facts.optimal]), _taken(facts)]
        for name, facts in ALGORITHMS.items()
    ]


def heuristic_rows() -> list[list[str]]:
    return [
        [name, say_words(facts.title), yes_or_no(facts.admissible), yes_or_no(facts.consistent)]
        for name, facts in HEURISTICS.items()
    ]


def catalogue_document() -> dict[str, Any]:
    """Return both by the names that the HTTP interface has."""
    return {
        "algorithms": [
            {"name": name, **{key: value for key, value in asdict(facts).items() if key != "order"}}
            for name, facts in ALGORITHMS.items()
        ],
        "heuristics": [{"name": name, **asdict(facts)} for name, facts in HEURISTICS.items()],
        "default_methods": [method.text for method in DEFAULT_METHODS],
    }


def _taken(facts: AlgorithmFacts) -> str:
    taken = [HEURISTIC_COLUMNS["heuristic"]] if facts.informed else []
    if facts.parameter is not None:
        taken.append(_PARAMETERS[facts.parameter])
    return ", ".join(map(say_words, taken))
