"""A* with a closed set: a board is expanded at most once.

If the heuristic is consistent (a move changes it by at most one), f never decreases along a path.
Every shorter path to a board is then expanded before the board itself, so the board is closed by a
shortest path. A heuristic that is only admissible may be too low along a detour and much higher on
the short path. The board where both meet is then closed by the detour, and the optimum can be
missed.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome, State


def a_star_closed(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal node. Its path is shortest if the heuristic is consistent.

    Nodes with equal f are taken deepest first, then newest first.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968. Their second theorem requires consistency.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, float, int, Node]] = [(root.h, root.h, 0, root)]
    best_g = {root.state: 0}
    closed: set[State] = set()
    while frontier:
        meter.observe(frontier, meter.expanded)
        node = heappop(frontier)[-1]
        if node.state in closed:
            continue
        if node.state == problem.goal:
            return node
        closed.add(node.state)
        meter.expand(node)
        for child in problem.successors(node):
            previous_g = best_g.get(child.state)
            if child.state in closed or (previous_g is not None and previous_g <= child.g):
                meter.generate(child, Outcome.DUPLICATE)
                continue
            best_g[child.state] = child.g
            child.h = h = heuristic(child.state)
            meter.generate(child, Outcome.NEW if previous_g is None else Outcome.CHEAPER)
            heappush(frontier, (child.g + h, h, -child.number, child))
    return None
