"""Breadth-first search: all boards one move away, then all two moves away, and so on.

    put the start into the frontier
    while the frontier holds a node:
        take the node that was put in first
        for each successor:
            if its board is known: leave it out
            if it is the goal: done
            put it into the frontier

A successor is looked at when it is made, so that the last level is never taken up.
"""

from __future__ import annotations

from collections import deque

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome


def breadth_first(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of a shortest path.

    Complete and optimal; it keeps every board that it meets, and memory ends before patience does.
    Moore, "The shortest path through a maze", 1959.
    """
    root = problem.root()
    if root.state == problem.goal:
        return root
    frontier = deque([root])
    known = {root.state}
    while frontier:
        meter.observe(frontier, known)
        node = frontier.popleft()
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in known:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            if child.state == problem.goal:
                return child
            known.add(child.state)
            frontier.append(child)
    return None
