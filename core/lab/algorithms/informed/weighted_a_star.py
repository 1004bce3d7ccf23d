"""Weighted A*: f = g + w h, which trusts the heuristic more than A* does.

With w = 1 it is A*; the larger w, the closer it is to greedy search. Some node of a shortest path
is always in the frontier, and if the heuristic is admissible its f is at most w times the optimum.
No node with a larger f is taken before it, so a solution has at most w times the optimal length.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome


def weighted_a_star(
    problem: Problem, meter: Meter, heuristic: Heuristic, weight: float
) -> Node | None:
    """Return the goal node, within `weight` times the optimum if the heuristic is admissible.

    Nodes with equal f are taken by smallest h, then newest first.
    Pohl, "Heuristic search viewed as path finding in a graph", 1970.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, float, int, Node]] = [(weight * root.h, root.h, 0, root)]
    best_g = {root.state: 0}
    while frontier:
        meter.observe(frontier, meter.expanded)
        node = heappop(frontier)[-1]
        if node.g > best_g[node.state]:
            continue
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors(node):
            previous_g = best_g.get(child.state)
            if previous_g is not None and previous_g <= child.g:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            best_g[child.state] = child.g
            child.h = h = heuristic(child.state)
            meter.generate(child, Outcome.NEW if previous_g is None else Outcome.CHEAPER)
            heappush(frontier, (child.g + weight * h, h, -child.number, child))
    return None
