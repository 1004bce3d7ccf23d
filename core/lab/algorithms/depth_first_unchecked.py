"""Depth-first search with a stack that forgets to look: a board is marked when it is taken.

    put the start on the stack
    while the stack holds a node:
        take the node that was put on last
        if it is the goal: done
        mark its board
        for each successor, the first one first:
            if its board is marked: leave it out
            put it on the stack

As in a published program. A board may wait on the stack several times, as in `depth_first`; but
when it is taken nobody asks whether it was marked meanwhile, so that some boards are expanded
again, with all that is not marked yet behind them. Successors are put on from the first to the
last, so that the blank's *last* way is tried first: right, then left, down, up.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome, State


def depth_first_unchecked(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of a path that may be very long.

    Complete: a board is put on only until it is first taken. Not optimal.
    Its figures are those of a published program; `depth_first` is the search that it means.
    """
    stack = [problem.root()]
    marked: set[State] = set()
    while stack:
        meter.observe(stack, marked)
        node = stack.pop()
        if node.state == problem.goal:
            return node
        marked.add(node.state)
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in marked:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            stack.append(child)
    return None
