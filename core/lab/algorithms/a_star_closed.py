"""A* with a closed set: a board that was expanded once is done with for good.

    put the start into the frontier
    while the frontier holds a node:
        take the node with the least f = g + h whose board is not closed
        if it is the goal: done
        close its board
        for each successor:
            if its board is closed, or known by a path as short: leave it out
            put it into the frontier

Where the heuristic is consistent (a move changes it by at most one), f never falls along a path.
So whatever could lead to a board by a shorter path is expanded before the board is, and the path
by which it is closed is a shortest one. A heuristic that is only admissible may be too low before
a detour and far higher on the short way: the board behind both is then closed by the detour, the
short way comes too late, and the optimum may be missed.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome, State


def a_star_closed(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal's node, at the end of a shortest path where the heuristic is consistent.

    Of nodes with the same f the deeper one comes first, then the one made last.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968: their second theorem rests on consistency.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, float, int, Node]] = [(root.h, root.h, 0, root)]
    shortest = {root.state: 0}
    closed: set[State] = set()
    while frontier:
        meter.observe(frontier, shortest)
        node = heappop(frontier)[-1]
        if node.state in closed:
            continue
        if node.state == problem.goal:
            return node
        closed.add(node.state)
        meter.expand(node)
        for child in problem.successors(node):
            known = shortest.get(child.state)
            if child.state in closed or (known is not None and known <= child.g):
                meter.generate(child, Outcome.DUPLICATE)
                continue
            shortest[child.state] = child.g
            child.h = h = heuristic(child.state)
            meter.generate(child, Outcome.NEW if known is None else Outcome.CHEAPER)
            heappush(frontier, (child.g + h, h, -child.number, child))
    return None
