"""A* without a table of visited boards: it only avoids undoing the last move.

Comparing a successor with its grandparent is the "critical optimization" of Princeton's 8-puzzle
assignment. It avoids the most frequent duplicates but no others: a board is expanded once for each
path to it whose f is below the optimum. Time and memory grow with the number of paths, not of
boards. On 3×3 that is acceptable with a good heuristic, and hopeless without one.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome


def a_star_parent(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal node. Its path is shortest if the heuristic is admissible.

    Nodes with equal f are taken deepest first, then newest first.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968. Sedgewick, Wayne, *Algorithms*, 4th edition, exercise "8 Puzzle".
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, float, int, Node]] = [(root.h, root.h, 0, root)]
    while frontier:
        meter.observe(frontier, meter.expanded)
        node = heappop(frontier)[-1]
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors_except_undo(node):
            child.h = h = heuristic(child.state)
            meter.generate(child, Outcome.NEW)
            heappush(frontier, (child.g + h, h, -child.number, child))
    return None
