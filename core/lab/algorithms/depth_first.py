"""Depth-first search with a stack of its own: the node made last comes first.

    put the start on the stack
    while the stack holds a node:
        take the node that was put on last
        if its board is marked: pass it over
        if it is the goal: done
        mark its board
        for each successor, the last one first:
            if its board is marked: leave it out
            put it on the stack

A board is marked when it is *taken*, as a recursion would: the path is that of
`depth_first_recursive`, with no limit on how deep it goes. The price is that a board may wait on
the stack several times. Successors are put on from the last to the first, so that the blank's
first way is tried first.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome, State


def depth_first(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of a path that may be very long.

    Complete: boards are finitely many, and none is taken up twice. Not optimal.
    Tarjan, "Depth-first search and linear graph algorithms", 1972; with a stack as in Russell,
    Norvig, *Artificial Intelligence: A Modern Approach*, section on depth-first search.
    """
    stack = [problem.root()]
    marked: set[State] = set()
    while stack:
        meter.observe(stack, marked)
        node = stack.pop()
        if node.state in marked:
            continue
        if node.state == problem.goal:
            return node
        marked.add(node.state)
        meter.expand(node)
        fresh = []
        for child in problem.successors(node):
            if child.state in marked:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            fresh.append(child)
        stack.extend(reversed(fresh))
    return None
