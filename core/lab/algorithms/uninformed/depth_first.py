"""Depth-first search with an explicit stack: the newest node is expanded first.

A board is marked when it is popped, as in a recursion. The path is that of `depth_first_recursive`,
without its recursion limit, but a board may be on the stack several times. Successors are pushed in
reverse order so that the first one is popped first.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome, State


def depth_first(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of a path that may be very long.

    Complete, because there are finitely many boards and none is expanded twice. Not optimal.
    Tarjan, "Depth-first search and linear graph algorithms", 1972; with a stack as in Russell,
    Norvig, *Artificial Intelligence: A Modern Approach*, section on depth-first search.
    """
    stack = [problem.root()]
    marked: set[State] = set()
    while stack:
        meter.observe(stack, len(marked))
        node = stack.pop()
        if node.state in marked:
            continue
        if node.state == problem.goal:
            return node
        marked.add(node.state)
        meter.expand(node)
        successors = []
        for child in problem.successors(node):
            if child.state in marked:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            successors.append(child)
        stack.extend(reversed(successors))
    return None
