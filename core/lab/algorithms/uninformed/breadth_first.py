"""Breadth-first search: all boards one move away, then all boards two moves away, and so on.

A successor is checked when it is generated, so the last level is never expanded.
"""

from __future__ import annotations

from collections import deque

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome


def breadth_first(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of a shortest path.

    Complete and optimal, but it stores every board it reaches.
    Moore, "The shortest path through a maze", 1959.
    """
    root = problem.root()
    if root.state == problem.goal:
        return root
    frontier = deque([root])
    reached = {root.state}
    while frontier:
        meter.observe(frontier, meter.expanded)
        node = frontier.popleft()
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in reached:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            if child.state == problem.goal:
                return child
            reached.add(child.state)
            frontier.append(child)
    return None
