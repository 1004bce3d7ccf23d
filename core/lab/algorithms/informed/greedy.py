"""Greedy best-first search: expand the board that looks closest to the goal.

The length of the path so far is ignored, so solutions are found quickly and are long.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome


def greedy(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal node. Not optimal.

    Nodes with equal h are taken in the order of generation.
    Doran, Michie, "Experiments with the Graph Traverser program", 1966.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, int, Node]] = [(root.h, 0, root)]
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
            reached.add(child.state)
            child.h = heuristic(child.state)
            meter.generate(child, Outcome.NEW)
            heappush(frontier, (child.h, child.number, child))
    return None
