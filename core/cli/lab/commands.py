"""``tilework lab``: list the textbook searches, run one, or show its steps."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from tilework.core.cli.boards import STANDARD_INPUT, read_goal_option
from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.lab.options import (
    MEBIBYTES,
    Exhaust,
    MethodHeuristic,
    MethodName,
    RunMemory,
    RunNodes,
    RunSeconds,
    combine_method,
    make_limits,
    read_lab_board,
    run_with_progress,
)
from tilework.core.cli.lab.records import STATISTICS, Record, Run, board_records
from tilework.core.cli.lab.trace_text import format_trace
from tilework.core.cli.language import current_language, gettext, gettext_noop, translate
from tilework.core.cli.messages import describe_run
from tilework.core.cli.options import AsJson, BoardWords, GoalText, MoverName, Width, option
from tilework.core.cli.solve.answers import AnswerStyle
from tilework.core.cli.terminal import print_rows, yes_or_no
from tilework.core.errors import OptionError
from tilework.core.formats.solutions import Effort, Mover, SolutionFormat, format_solution
from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_METHODS,
    HEURISTICS,
    PUBLISHED_NAMES,
    AlgorithmFacts,
    Guarantee,
    Method,
    Parameter,
)
from tilework.core.lab.result import RunResult, TraceWindow
from tilework.core.model.comparisons import RUN_NODES, RUN_SECONDS
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits, StopReason

app = typer.Typer(
    help="List the lab's searches, run one, or show its steps.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(name="list")
def list_(*, as_json: AsJson = False) -> None:
    """List algorithms and heuristics with their guarantees."""
    if as_json:
        print(json.dumps(_list_document()))
        return
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
def run(
    board: BoardWords = [STANDARD_INPUT],  # noqa: B006 - typer copies it
    *,
    method: MethodName = None,
    heuristic: MethodHeuristic = None,
    goal: GoalText = "blank-last",
    width: Width = None,
    time_limit: RunSeconds = RUN_SECONDS,
    node_limit: RunNodes = RUN_NODES,
    memory_limit: RunMemory = MEBIBYTES,
    exhaust: Exhaust = False,
    output: Annotated[
        SolutionFormat | None, option("--format", help="Format of the solution.  [default: udlr]")
    ] = None,
    by: MoverName = Mover.TILE,
    as_json: AsJson = False,
) -> None:
    """Run one search on a board; its statistics go to standard error.

    With --json, one object contains both.
    """
    if as_json and output is not None:
        raise OptionError(
            "json-and-format",
            "--json writes the moves as letters; omit --format {format}",
            format=output,
        )
    limits = make_limits(time_limit, node_limit, memory_limit)
    single_run = _run(
        board, goal, width, combine_method(method, heuristic), limits, exhaust=exhaust
    )
    moves = single_run.result.moves
    if as_json:
        style = AnswerStyle(by_blank=by is Mover.BLANK)
        letters = None if moves is None else style.letters(moves)
        record = single_run.record() | {"moves": letters} | style.named_by
        print(json.dumps(record, default=str))
    elif moves is not None:
        for chunk in format_solution(
            output or SolutionFormat.UDLR,
            single_run.start,
            moves,
            single_run.goal,
            language=current_language(),
            blank_moves=by is Mover.BLANK,
            lower_bound=len(moves) if single_run.result.optimal else None,
            effort=_make_effort(single_run.result),
        ):
            sys.stdout.write(chunk)
    _finish(single_run, silent=as_json)


@app.command()
def trace(
    board: BoardWords = [STANDARD_INPUT],  # noqa: B006 - typer copies it
    *,
    method: MethodName = None,
    heuristic: MethodHeuristic = None,
    goal: GoalText = "blank-last",
    width: Width = None,
    time_limit: RunSeconds = RUN_SECONDS,
    node_limit: RunNodes = RUN_NODES,
    memory_limit: RunMemory = MEBIBYTES,
    exhaust: Exhaust = False,
    first: Annotated[int, typer.Option(metavar="K", help="Show the first K steps.")] = 20,
    last: Annotated[int, typer.Option(metavar="K", help="Show the last K steps.")] = 5,
    every: Annotated[
        int, typer.Option(metavar="N", help="Show every N-th step in between; 0 for none.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Show a search step by step: each expanded node, its children and their outcomes."""
    window = TraceWindow(first, last, every)
    limits = make_limits(time_limit, node_limit, memory_limit)
    combined = combine_method(method, heuristic)
    single_run = _run(board, goal, width, combined, limits, window=window, exhaust=exhaust)
    steps = single_run.result.trace
    if as_json and steps is not None:
        record = single_run.record()
        statistics = {name: record.pop(name) for name in STATISTICS}
        document = {**record, "statistics": statistics, **steps.document()}
        print(json.dumps(document, default=str))
    elif steps is not None:
        for line in format_trace(steps, single_run.result.method, single_run.start.width):
            print(line)
    _finish(single_run, silent=as_json and steps is not None)


@dataclass(frozen=True, slots=True)
class _SingleRun:
    start: Board
    goal: Board
    result: RunResult

    def record(self) -> Record:
        """Return the run and its boards by the names of the API."""
        (record,) = board_records([Run(0, self.start, self.result.method, self.result)])
        del record["board_index"]
        sizes = {"width": self.start.width, "height": self.start.height}
        return {**sizes, "goal": self.goal.cells.tolist(), **record}


def _run(
    words: list[str],
    goal_text: str,
    width: int | None,
    method_text: str,
    limits: Limits,
    *,
    window: TraceWindow | None = None,
    exhaust: bool,
) -> _SingleRun:
    method = Method.from_text(method_text)
    start = read_lab_board(words, width)
    goal = read_goal_option(goal_text, start.size)
    result = run_with_progress(start, goal, method, limits, window, exhaust=exhaust)
    return _SingleRun(start, goal, result)


def _make_effort(result: RunResult) -> Effort:
    counts, heuristic = result.statistics, result.method.heuristic
    name = None if heuristic is None else PUBLISHED_NAMES.get(heuristic, heuristic)
    return Effort(counts.visited, counts.max_frontier, name)


def _finish(single_run: _SingleRun, *, silent: bool) -> None:
    if not silent:
        sys.stdout.flush()
        print(translate(describe_run(single_run.result)), file=sys.stderr)
    if single_run.result.stopped_by is StopReason.CANCELLED:
        raise typer.Exit(ExitCode.INTERRUPTED)
    raise typer.Exit(ExitCode.NO_SOLUTION if single_run.result.moves is None else ExitCode.ANSWERED)


_ALGORITHM_HEADINGS = (
    gettext_noop("algorithm"),
    gettext_noop("complete"),
    gettext_noop("optimal"),
    gettext_noop("takes"),
)
_HEURISTIC_HEADINGS = (
    gettext_noop("heuristic"),
    gettext_noop("title"),
    gettext_noop("admissible"),
    gettext_noop("consistent"),
)
_ALGORITHM_COLUMNS = dict(zip(_ALGORITHM_HEADINGS, _ALGORITHM_HEADINGS, strict=True))
_HEURISTIC_COLUMNS = dict(zip(_HEURISTIC_HEADINGS, _HEURISTIC_HEADINGS, strict=True))
_OPTIMAL = {
    Guarantee.ALWAYS: gettext_noop("yes"),
    Guarantee.ADMISSIBLE: gettext_noop("if admissible"),
    Guarantee.CONSISTENT: gettext_noop("if consistent"),
    Guarantee.NEVER: gettext_noop("no"),
}
_PARAMETERS = {Parameter.WEIGHT: gettext_noop("weight"), Parameter.WIDTH: gettext_noop("width")}


def _list_document() -> dict[str, Any]:
    """Return algorithms and heuristics by the names of the API."""
    return {
        "algorithms": [
            {"name": name, **{key: value for key, value in asdict(facts).items() if key != "order"}}
            for name, facts in ALGORITHMS.items()
        ],
        "heuristics": [{"name": name, **asdict(facts)} for name, facts in HEURISTICS.items()],
        "default_methods": [method.text for method in DEFAULT_METHODS],
    }


def _format_inputs(facts: AlgorithmFacts) -> str:
    inputs = ["heuristic"] if facts.informed else []
    if facts.parameter is not None:
        inputs.append(_PARAMETERS[facts.parameter])
    return ", ".join(map(gettext, inputs))
