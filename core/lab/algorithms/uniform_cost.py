"""Uniform-cost search: the node with the cheapest path comes first.

    put the start into the frontier
    while the frontier holds a node:
        take the node with the least g
        if it is the goal: done
        for each successor:
            if its board is known: leave it out
            put it into the frontier

All moves cost one. So no board is reached by a cheaper path once it was reached, and the nodes come
in the order of breadth-first search. What a heap buys where costs differ is paid here for nothing:
it is slower, and it meets the goal only when that is taken, a level later. It is A* with an
heuristic of 0.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome


def uniform_cost(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of a shortest path.

    Complete and optimal. Of nodes with the same g the one made first comes first.
    Dijkstra, "A note on two problems in connexion with graphs", 1959.
    """
    root = problem.root()
    frontier = [(0, 0, root)]
    reached = {root.state}
    while frontier:
        meter.observe(frontier, reached)
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
