"""A*: expand the node whose estimated total path length f = g + h is smallest.

When a shorter path to a board is found, the board is pushed again. Its older entry is skipped when
it is popped, which is cheaper than finding it in the heap.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome


def a_star(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal node. Its path is shortest if the heuristic is admissible.

    Nodes with equal f are taken deepest first, then newest first.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, float, int, Node]] = [(root.h, root.h, 0, root)]
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
            heappush(frontier, (child.g + h, h, -child.number, child))
    return None
