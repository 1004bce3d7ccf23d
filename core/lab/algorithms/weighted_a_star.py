"""Weighted A*: the heuristic counts more than the way that is behind.

    put the start into the frontier
    while the frontier holds a node:
        take the node with the least f = g + w h
        if it is the goal: done
        for each successor:
            if its board is known by a path as short: leave it out
            put it into the frontier

With w = 1 it is A*; the greater w, the more it is like greedy search. Some node of a shortest path
always waits, and its f is at most w times the optimum where the heuristic is admissible, so that no
node with a greater f is taken: not the goal's either, whose f is the length found.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome


def weighted_a_star(
    problem: Problem, meter: Meter, heuristic: Heuristic, weight: float
) -> Node | None:
    """Return the goal's node, within weight times the optimum where the heuristic is admissible.

    Of nodes with the same f the one with the least h comes first, then the one made last.
    Pohl, "Heuristic search viewed as path finding in a graph", 1970.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, float, int, Node]] = [(weight * root.h, root.h, 0, root)]
    shortest = {root.state: 0}
    while frontier:
        meter.observe(frontier, shortest)
        node = heappop(frontier)[-1]
        if node.g > shortest[node.state]:
            continue
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors(node):
            known = shortest.get(child.state)
            if known is not None and known <= child.g:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            shortest[child.state] = child.g
            child.h = h = heuristic(child.state)
            meter.generate(child, Outcome.NEW if known is None else Outcome.CHEAPER)
            heappush(frontier, (child.g + weight * h, h, -child.number, child))
    return None
