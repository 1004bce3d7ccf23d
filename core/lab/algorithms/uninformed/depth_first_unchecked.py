"""Depth-first search with a stack and without one check, as in a published program.

A board may be on the stack several times, as in `depth_first`. But this program does not check
whether a board was marked while it was waiting, so some boards are expanded again, together with
their unmarked successors. Successors are pushed in order, so the blank prefers to go right, then
left, down, up.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome, State


def depth_first_unchecked(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of a path that may be very long.

    Complete, because a board is pushed only until it is first popped. Not optimal.
    It reproduces the figures of a published program; `depth_first` is the correct algorithm.
    """
    stack = [problem.root()]
    marked: set[State] = set()
    while stack:
        meter.observe(stack, len(marked))
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
