"""One run of the lab: how it ended and what it cost, and its steps as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tilework.core.cli.boards import goal_of
from tilework.core.cli.lab.options import lab_board_of, run_shown
from tilework.core.cli.lab.records import STATISTICS, Record, Run, records_of
from tilework.core.cli.language import say, say_words, word
from tilework.core.cli.solve.answers import AnswerStyle
from tilework.core.formats.solution_boards import Effort
from tilework.core.lab.method import Method
from tilework.core.lab.names import PUBLISHED_NAMES
from tilework.core.lab.result import RunResult
from tilework.core.lab.trace import Outcome, State, Step, Trace, TraceWindow
from tilework.core.messages import Message, plural
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits


@dataclass(frozen=True, slots=True)
class SingleRun:
    start: Board
    goal: Board
    result: RunResult  # with a trace where one was asked for, unless it was interrupted

    @classmethod
    def of(
        cls,
        words: list[str],
        goal_text: str,
        width: int | None,
        *,
        method_text: str,
        limits: Limits,
        window: TraceWindow | None = None,
        exhaust: bool = False,
    ) -> SingleRun:
        method = Method.from_text(method_text)
        start = lab_board_of(words, width)
        goal = goal_of(goal_text, start.size)
        return cls(start, goal, run_shown(start, goal, method, limits, window, exhaust=exhaust))

    @property
    def record(self) -> Record:
        """The run by the names that the HTTP interface has, with its boards."""
        (record,) = records_of([Run(0, self.start, self.result.method, self.result)])
        del record["board_index"]
        sizes = {"width": self.start.width, "height": self.start.height}
        return {**sizes, "goal": self.goal.cells.tolist(), **record}

    def traced(self, trace: Trace) -> Record:
        """Return the trace as the HTTP interface writes it, and before it what was run."""
        record = self.record
        statistics = {name: record.pop(name) for name in STATISTICS}
        return {**record, "statistics": statistics, **trace.document()}

    def letters(self, *, by_blank: bool) -> str | None:
        """Return the solution as ``UDLR`` by the tile's way, or the blank's; None without one."""
        style = AnswerStyle(by_blank=by_blank)
        return None if self.result.moves is None else style.letters(self.result.moves)

    @property
    def effort(self) -> Effort:
        counts, heuristic = self.result.statistics, self.result.method.heuristic
        name = None if heuristic is None else PUBLISHED_NAMES.get(heuristic, heuristic)
        return Effort(counts.visited, counts.max_frontier, name)


Figures = Callable[[int, float | None], str]
"""Writes g and h, and their sum."""

_MOVES = "UDLR"
_WORDS = {
    Outcome.NEW: word("new"),
    Outcome.DUPLICATE: word("duplicate"),
    Outcome.CHEAPER: word("cheaper path"),
    Outcome.CUT: word("cut"),
    Outcome.FORBIDDEN: word("not allowed"),
}


def trace_text(trace: Trace, width: int, *, informed: bool) -> Iterator[str]:
    """Yield the lines of a trace; h and f are shown where the search asked a heuristic."""
    figures = _informed if informed else _uninformed
    path = set(trace.path)
    shown = 0
    for step in trace.steps:
        yield from _left_out(step.number - shown - 1)
        yield from _step(step, width, path, figures)
        shown = step.number
    yield from _left_out(trace.expanded - shown)


def _left_out(count: int) -> Iterator[str]:
    if count > 0:
        left = plural("steps", "{count} step not shown", "{count} steps not shown", count=count)
        yield f"... {say(left)} ..."
        yield ""


def _step(step: Step, width: int, path: set[int], figures: Figures) -> Iterator[str]:
    number = say(Message("step", "step {number}", number=step.number))
    node = say(Message("node", "node {node}, {parent}", node=step.node, parent=_parent(step)))
    side = "   " + say_words("backward") if step.backward else ""
    yield f"{number}   {node}   {figures(step.g, step.h)}{side}"
    yield from _rows(step.state, width)
    for child in step.children:
        node = "–" if child.node is None else say(Message("child", "node {node}", node=child.node))
        what = f"{_MOVES[child.move]}  {node}   {figures(child.g, child.h)}"
        solution = "   " + say_words("of the solution") if child.node in path else ""
        yield f"  {what}   {say_words(_WORDS[child.outcome])}{solution}"
    frontier = say(Message("frontier", "frontier: {size}", size=step.frontier_size))
    waiting = " ".join(str(one.node) for one in step.frontier)
    following = say(Message("next-nodes", "next: nodes {nodes}", nodes=waiting))
    yield f"  {frontier}" + (f"   {following}" if waiting else "")
    yield ""


def _parent(step: Step) -> Message | str:
    if step.parent is not None:
        return Message("from-node", "from node {node}", node=step.parent)
    return say_words("the goal") if step.backward else say_words("the start")


def _rows(state: State, width: int) -> Iterator[str]:
    digits = len(str(len(state) - 1))
    for begin in range(0, len(state), width):
        yield "  " + " ".join(str(tile).rjust(digits) for tile in state[begin : begin + width])


def _informed(g: int, h: float | None) -> str:
    return f"g {g}" if h is None else f"g {g}  h {h:g}  f {g + h:g}"


def _uninformed(g: int, _h: float | None) -> str:
    return f"g {g}"
