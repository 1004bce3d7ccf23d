"""A trace as text: each expansion with its board, its children and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.lab.trace import Outcome, State, Step, Trace

Figures = Callable[[int, float | None], str]
"""Writes g and h, and their sum."""

_MOVES = "UDLR"
_WORDS = {
    Outcome.NEW: "new",
    Outcome.DUPLICATE: "duplicate",
    Outcome.CHEAPER: "cheaper path",
    Outcome.CUT: "cut",
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
        yield f"... {count} step{'s' if count > 1 else ''} not shown ..."
        yield ""


def _step(step: Step, width: int, path: set[int], figures: Figures) -> Iterator[str]:
    root = "the goal" if step.backward else "the start"
    parent = root if step.parent is None else f"from node {step.parent}"
    side = "   backward" if step.backward else ""
    yield f"step {step.number}   node {step.node}, {parent}   {figures(step.g, step.h)}{side}"
    yield from _rows(step.state, width)
    for child in step.children:
        what = f"{_MOVES[child.move]}  node {child.node}   {figures(child.g, child.h)}"
        solution = "   of the solution" if child.node in path else ""
        yield f"  {what}   {_WORDS[child.outcome]}{solution}"
    waiting = "".join(f" {one.node}" for one in step.frontier)
    yield f"  frontier: {step.frontier_size}" + (f"   next: nodes{waiting}" if waiting else "")
    yield ""


def _rows(state: State, width: int) -> Iterator[str]:
    digits = len(str(len(state) - 1))
    for begin in range(0, len(state), width):
        yield "  " + " ".join(str(tile).rjust(digits) for tile in state[begin : begin + width])


def _informed(g: int, h: float | None) -> str:
    return f"g {g}" if h is None else f"g {g}  h {h:g}  f {g + h:g}"


def _uninformed(g: int, _h: float | None) -> str:
    return f"g {g}"
