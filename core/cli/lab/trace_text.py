"""A trace of the lab's searches as text, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from tilework.core.cli.language import gettext, gettext_noop, translate
from tilework.core.lab.methods import PATH_SEARCHES, Method
from tilework.core.lab.result import Outcome, Step, Trace
from tilework.core.messages import Message, plural
from tilework.core.puzzle.moves import LETTERS

_OUTCOMES = {
    Outcome.NEW: gettext_noop("new"),
    Outcome.DUPLICATE: gettext_noop("duplicate"),
    Outcome.CHEAPER: gettext_noop("cheaper path"),
    Outcome.CUT: gettext_noop("cut"),
    Outcome.FORBIDDEN: gettext_noop("not allowed"),
}


def format_trace(trace: Trace, method: Method, width: int) -> Iterator[str]:
    """Yield the lines of a trace; h and f are shown if the search uses a heuristic."""
    path = set(trace.path)
    last_number = 0
    for step in trace.steps:
        yield from _format_gap(step.number - last_number - 1)
        yield from _format_step(step, trace, path, method, width)
        last_number = step.number
    yield from _format_gap(trace.expanded - last_number)


def _format_gap(count: int) -> Iterator[str]:
    if count > 0:
        gap = plural("steps", "{count} step not shown", "{count} steps not shown", count=count)
        yield f"... {translate(gap)} ..."
        yield ""


def _format_step(
    step: Step, trace: Trace, path: set[int], method: Method, width: int
) -> Iterator[str]:
    def format_costs(g: int, h: float | None) -> str:
        if h is None or method.heuristic is None:
            return f"g {g}"
        return f"g {g}  h {h:g}  f {trace.f(g, h):g}"

    number = translate(Message("step", "step {number}", number=step.number))
    node = translate(
        Message("node", "node {node}, {parent}", node=step.node, parent=_format_parent(step))
    )
    side = "   " + gettext("backward") if step.backward else ""
    yield f"{number}   {node}   {format_costs(step.g, step.h)}{side}"
    digits = len(str(len(step.state) - 1))
    for start in range(0, len(step.state), width):
        row = step.state[start : start + width]
        yield "  " + " ".join(str(tile).rjust(digits) for tile in row)
    for child in step.children:
        node = (
            "–"
            if child.node is None
            else translate(Message("child", "node {node}", node=child.node))
        )
        numbers = format_costs(child.g, child.h)
        outcome = gettext(_OUTCOMES[child.outcome])
        solution = "   " + gettext("of the solution") if child.node in path else ""
        yield f"  {LETTERS[child.move]}  {node}   {numbers}   {outcome}{solution}"
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
