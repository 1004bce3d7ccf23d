"""Uniform-cost search: expand the node with the cheapest path.

Every move costs one, so the first path to a board is the cheapest and nodes are expanded in
breadth-first order. The heap, which pays off if costs differ, only makes it slower here, and the
goal is recognized one level later because it is checked when popped. It is A* with h = 0.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome


def uniform_cost(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of a shortest path.

    Complete and optimal. Nodes with equal g are taken in the order of generation.
    Dijkstra, "A note on two problems in connexion with graphs", 1959.
    """
    root = problem.root()
    frontier = [(0, 0, root)]
    reached = {root.state}
    while frontier:
        meter.observe(frontier, meter.expanded)
        node = heappop(frontier)[-1]
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in reached:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            reached.add(child.state)
            heappush(frontier, (child.g, child.number, child))
    return None
