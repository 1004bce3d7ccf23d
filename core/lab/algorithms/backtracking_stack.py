"""Backtracking with a stack of its own: no recursion, so no limit on how deep it goes.

    put the start on the stack and mark it
    while the stack holds a node:
        take the node that was put on last
        if it is the goal: done
        for each way the blank can go, up, down, left, right, but not back:
            if the board that it leads to is marked: leave it out
            mark it and put it on the stack

A board is marked when it is *put on* the stack. So no board waits there twice. But one that waits
is closed to the path at hand, which has to wind around it: this is not the order of a recursion,
and the path is another one than that of `depth_first`, which marks when it takes. As the last put
on is the first taken, the blank goes right first where it can, then left, down, up.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome


def backtracking_stack(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of a path that may be very long.

    Complete: boards are finitely many, and each that is marked has its turn. Not optimal.
    Luger, *Artificial Intelligence: Structures and Strategies for Complex Problem Solving*, section
    on backtracking search, which keeps lists of its own as well.
    """
    root = problem.root()
    stack = [root]
    marked = {root.state}
    while stack:
        meter.observe(stack, marked)
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
