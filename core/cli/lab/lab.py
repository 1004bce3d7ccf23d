"""``tilework lab``: list the textbook searches, or show the steps of one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer

from tilework.core.cli import options
from tilework.core.cli.answers import describe_run, exit_code
from tilework.core.cli.boards import STANDARD_INPUT, read_goal_option
from tilework.core.cli.console import (
    gettext,
    print_json,
    print_note,
    print_rows,
    show,
    translate,
    wants_json,
    yes_or_no,
)
from tilework.core.cli.lab.runs import (
    MEBIBYTES,
    Record,
    Run,
    make_limits,
    make_records,
    read_lab_board,
    run_with_progress,
)
from tilework.core.cli.words import gettext_noop
from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_METHODS,
    HEURISTICS,
    PATH_SEARCHES,
    AlgorithmFacts,
    Guarantee,
    Method,
    Parameter,
)
from tilework.core.lab.result import Child, Outcome, RunResult, Step, Trace, TraceWindow
from tilework.core.messages import Message, plural
from tilework.core.model.comparisons import RUN_NODES, RUN_SECONDS
from tilework.core.puzzle.board import Board
from tilework.core.validation import validate

app = options.command_group()


@app.command(name="list")
def list_() -> None:
    """List algorithms and heuristics with their guarantees."""
    documents = {name: asdict(facts) for name, facts in ALGORITHMS.items()}
    document = {
        "algorithms": [
            {"name": name, **{key: value for key, value in facts.items() if key != "order"}}
            for name, facts in documents.items()
        ],
        "heuristics": [{"name": name, **asdict(facts)} for name, facts in HEURISTICS.items()],
        "default_methods": [method.text for method in DEFAULT_METHODS],
    }
    show(document, _print_lists)


def _print_lists() -> None:
    algorithms = [
        [name, yes_or_no(facts.complete), gettext(_OPTIMAL[facts.optimal]), _format_inputs(facts)]
        for name, facts in ALGORITHMS.items()
    ]
    print_rows(_ALGORITHM_COLUMNS, algorithms)
    print()
    heuristics = [
        [name, gettext(facts.title), yes_or_no(facts.admissible), yes_or_no(facts.consistent)]
        for name, facts in HEURISTICS.items()
    ]
    print_rows(_HEURISTIC_COLUMNS, heuristics)


@app.command()
def trace(
    board: options.BoardWords = [STANDARD_INPUT],  # noqa: B006 - typer copies it
    *,
    method: Annotated[
        str,
        typer.Option(
            metavar="METHOD",
            autocompletion=options.complete_method,
            help="An algorithm with its heuristic and its weight or width, as in "
            "weighted-a-star:manhattan:1.5. `tilework lab list` lists the names.",
        ),
    ] = "a-star:manhattan",
    goal: options.GoalText = "blank-last",
    width: options.Width = None,
    time_limit: options.RunSeconds = RUN_SECONDS,
    node_limit: options.RunNodes = RUN_NODES,
    memory_limit: options.RunMemory = MEBIBYTES,
    exhaust: Annotated[
        bool,
        typer.Option(
            "--exhaust",
            help="Also search unsolvable boards, until all reachable boards are visited or a "
            "limit is reached.",
        ),
    ] = False,
    first: Annotated[int, typer.Option(metavar="K", help="Show the first K steps.")] = 20,
    last: Annotated[int, typer.Option(metavar="K", help="Show the last K steps.")] = 5,
    every: Annotated[
        int, typer.Option(metavar="N", help="Show every N-th step in between; 0 for none.")
    ] = 0,
) -> None:
    """Show a search step by step: each expanded node, its children and their outcomes."""
    steps = {"first": first, "last": last, "every": every}
    window = validate(TraceWindow, steps, {name: f"--{name}" for name in steps})
    limits = make_limits(time_limit, node_limit, memory_limit)
    chosen = Method.from_text(method)
    start = read_lab_board(board, width)
    end = read_goal_option(goal, start.size)
    result = run_with_progress(start, end, chosen, limits, window, exhaust=exhaust)
    kept = result.trace
    if wants_json() and kept is not None:
        record = _make_record(start, end, result)
        statistics = {name: record.pop(name) for name in asdict(result.statistics)}
        print_json({**record, "statistics": statistics, **kept.document()})
    elif kept is not None:
        for line in _format_trace(kept, chosen, start.width):
            print(line)
    if not wants_json():
        sys.stdout.flush()
        print_note(describe_run(result))
    raise typer.Exit(exit_code(result.stopped_by, result.moves is not None))


def _make_record(start: Board, goal: Board, result: RunResult) -> Record:
    """Return a run and its boards by the names of the API."""
    (record,) = make_records([Run(0, start, result.method, result)])
    del record["board_index"]
    return {
        "width": start.width,
        "height": start.height,
        "goal": goal.cells.tolist(),
        **record,
    }


_ALGORITHM_COLUMNS = (
    gettext_noop("algorithm"),
    gettext_noop("complete"),
    gettext_noop("optimal"),
    gettext_noop("takes"),
)
_HEURISTIC_COLUMNS = (
    gettext_noop("heuristic"),
    gettext_noop("title"),
    gettext_noop("admissible"),
    gettext_noop("consistent"),
)
_OPTIMAL = {
    Guarantee.ALWAYS: gettext_noop("yes"),
    Guarantee.ADMISSIBLE: gettext_noop("if admissible"),
    Guarantee.CONSISTENT: gettext_noop("if consistent"),
    Guarantee.NEVER: gettext_noop("no"),
}
_PARAMETERS = {Parameter.WEIGHT: gettext_noop("weight"), Parameter.WIDTH: gettext_noop("width")}


def _format_inputs(facts: AlgorithmFacts) -> str:
    inputs = ["heuristic"] if facts.informed else []
    if facts.parameter is not None:
        inputs.append(_PARAMETERS[facts.parameter])
    return ", ".join(map(gettext, inputs))


_OUTCOMES = {
    Outcome.NEW: gettext_noop("new"),
    Outcome.DUPLICATE: gettext_noop("duplicate"),
    Outcome.CHEAPER: gettext_noop("cheaper path"),
    Outcome.CUT: gettext_noop("cut"),
    Outcome.FORBIDDEN: gettext_noop("not allowed"),
}


def _format_trace(trace: Trace, method: Method, width: int) -> Iterator[str]:
    """Yield the lines of a trace; h and f are shown if the search uses a heuristic."""
    path = set(trace.path)
    last_number = 0
    for step in trace.steps:
        yield from _format_gap(step.number - last_number - 1)
        yield from _format_step(step, path, method, width)
        last_number = step.number
    yield from _format_gap(trace.expanded - last_number)


def _format_gap(count: int) -> Iterator[str]:
    if count > 0:
        gap = plural("steps", "{count} step not shown", "{count} steps not shown", count=count)
        yield f"... {translate(gap)} ..."
        yield ""


def _format_step(step: Step, path: set[int], method: Method, width: int) -> Iterator[str]:
    def format_costs(node: Step | Child) -> str:
        if node.h is None or method.heuristic is None:
            return f"g {node.g}"
        return f"g {node.g}  h {node.h:g}  f {node.f:g}"

    number = translate(Message("step", "step {number}", number=step.number))
    node = translate(
        Message("node", "node {node}, {parent}", node=step.node, parent=_format_parent(step))
    )
    side = "   " + gettext("backward") if step.backward else ""
    yield f"{number}   {node}   {format_costs(step)}{side}"
    digits = len(str(len(step.board) - 1))
    for start in range(0, len(step.board), width):
        row = step.board[start : start + width]
        yield "  " + " ".join(str(tile).rjust(digits) for tile in row)
    for child in step.children:
        node = "–"
        if child.node is not None:
            node = translate(Message("child", "node {node}", node=child.node))
        numbers = format_costs(child)
        outcome = gettext(_OUTCOMES[child.outcome])
        solution = "   " + gettext("of the solution") if child.node in path else ""
        yield f"  {child.move}  {node}   {numbers}   {outcome}{solution}"
    nodes = " ".join(str(node.node) for node in step.frontier)
    if method.algorithm in PATH_SEARCHES:
        frontier = Message("path", "path: {size}", size=step.frontier_size)
        first_nodes = Message("path-nodes", "from its end: nodes {nodes}", nodes=nodes)
    else:
        frontier = Message("frontier", "frontier: {size}", size=step.frontier_size)
        first_nodes = Message("next-nodes", "next: nodes {nodes}", nodes=nodes)
    yield f"  {translate(frontier)}" + (f"   {translate(first_nodes)}" if nodes else "")
    yield ""


def _format_parent(step: Step) -> Message | str:
    if step.parent is not None:
        return Message("from-node", "from node {node}", node=step.parent)
    return gettext("the goal") if step.backward else gettext("the start")
