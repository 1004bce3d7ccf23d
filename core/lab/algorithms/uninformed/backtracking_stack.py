"""Backtracking with an explicit stack, which has no recursion limit.

A board is marked when it is pushed, so no board is on the stack twice. A board that is waiting on
the stack is closed to the current path, which must go around it. The order therefore differs from
recursion, and the path from that of `depth_first`, which marks a board when it is popped. Since the
last board pushed is popped first, the blank prefers to go right, then left, down, up.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome


def backtracking_stack(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of a path that may be very long.

    Complete, because there are finitely many boards and each marked board is popped once. Not
    optimal.
    Luger, *Artificial Intelligence: Structures and Strategies for Complex Problem Solving*, section
    on backtracking search, which also uses explicit lists.
    """
    root = problem.root()
    stack = [root]
    marked = {root.state}
    while stack:
        meter.observe(stack, meter.expanded)
        node = stack.pop()
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors_except_undo(node):
            if child.state in marked:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            marked.add(child.state)
            stack.append(child)
    return None
