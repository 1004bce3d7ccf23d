"""A trace as text: each expansion with its board, its children and what became of them."""

from __future__ import annotations

from collections.abc import Iterator

from core.search.trace import Child, Outcome, State, Step, Trace

_MOVES = "UDLR"
_WORDS = {
    Outcome.NEW: "new",
    Outcome.DUPLICATE: "duplicate",
    Outcome.CHEAPER: "cheaper path",
    Outcome.CUT: "cut",
}


def trace_text(trace: Trace, width: int) -> Iterator[str]:
    """Yield the lines of a trace; where steps are left out, one says how many.

    Parameters
    ----------
    width : int
        Of the board.
    """
    path = set(trace.path)
    shown = 0
    for step in trace.steps:
        yield from _left_out(step.number - shown - 1)
        yield from _step(step, width, path)
        shown = step.number
    yield from _left_out(trace.expanded - shown)


def _left_out(count: int) -> Iterator[str]:
    if count > 0:
        yield f"... {count} step{'s' if count > 1 else ''} not shown ..."
        yield ""


def _step(step: Step, width: int, path: set[int]) -> Iterator[str]:
    parent = "the start" if step.parent is None else f"from node {step.parent}"
    side = "   searching from the goal" if step.backward else ""
    yield f"step {step.number}   node {step.node}, {parent}   {_figures(step.g, step.h)}{side}"
    yield from _rows(step.state, width)
    for child in step.children:
        yield _child(child, on_path=child.node in path)
    waiting = "".join(f" {one.node}" for one in step.frontier)
    yield f"  frontier: {step.frontier_size}" + (f"   next: nodes{waiting}" if waiting else "")
    yield ""


def _rows(state: State, width: int) -> Iterator[str]:
    digits = len(str(len(state) - 1))
    for begin in range(0, len(state), width):
        yield "  " + " ".join(str(tile).rjust(digits) for tile in state[begin : begin + width])


def _child(child: Child, *, on_path: bool) -> str:
    words = f"  {_MOVES[child.move]}  node {child.node}   {_figures(child.g, child.h)}"
    solution = "   of the solution" if on_path else ""
    return f"{words}   {_WORDS[child.outcome]}{solution}"


def _figures(g: int, h: float | None) -> str:
    return f"g {g}" if h is None else f"g {g}  h {h:g}  f {g + h:g}"
