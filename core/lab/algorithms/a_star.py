"""A*: the node that promises the shortest way in all comes first.

    put the start into the frontier
    while the frontier holds a node:
        take the node with the least f = g + h
        if it is the goal: done
        for each successor:
            if its board is known by a path as short: leave it out
            put it into the frontier

A board that is reached by a shorter path is put in again; the old entry is passed over when its
turn comes, which costs less than looking for it in a heap.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome


def a_star(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal's node, at the end of a shortest path where the heuristic is admissible.

    Of nodes with the same f the deeper one comes first, then the one made last.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, float, int, Node]] = [(root.h, root.h, 0, root)]
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
            heappush(frontier, (child.g + h, h, -child.number, child))
    return None
