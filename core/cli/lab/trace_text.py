"""A trace as text: each expansion with its board, its children and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilework.core.cli.language import say, say_words, word
from tilework.core.lab.trace import Outcome, State, Step, Trace
from tilework.core.messages import Message, plural

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
    """Yield the lines of a trace; where steps are left out, one says how many.

    Parameters
    ----------
    width : int
        Of the board.
    informed : bool
        Whether the search asked a heuristic, whose h and f are shown then.
    """
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
