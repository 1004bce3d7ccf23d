"""A* with decrease-key: a board waits once, and moves up when a shorter path to it is found.

    put the start into the frontier
    while the frontier holds a node:
        take the node with the least f = g + h
        if it is the goal: done
        for each successor:
            if its board is known by a path as short: leave it out
            if its board is new: put it into the frontier
            otherwise put this one in its place, moved up; again if it was expanded

The frontier is as small as it can be, and no entry is ever passed over. The price is a heap that
knows where each board's entry is, and writes it down at every move of an entry.
"""

from __future__ import annotations

from tilework.core.lab.algorithms.indexed_heap import IndexedHeap
from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Estimate, Node, Problem
from tilework.core.lab.trace import Outcome


def a_star_decrease_key(problem: Problem, meter: Meter, estimate: Estimate) -> Node | None:
    """Return the goal's node, at the end of a shortest path where the estimate is admissible.

    Of nodes with the same f the deeper one comes first, then the one made last.

    Notes
    -----
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968. That expanded boards are opened again makes admissible estimates enough.
    """
    root = problem.root()
    root.h = estimate(root.state)
    frontier = IndexedHeap()
    frontier.put((root.h, root.h, 0, root))
    shortest = {root.state: 0}
    while frontier:
        meter.look(frontier, shortest)
        node = frontier.pop()[-1]
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.children(node):
            known = shortest.get(child.state)
            if known is not None and known <= child.g:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            shortest[child.state] = child.g
            child.h = h = estimate(child.state)
            meter.generate(child, Outcome.NEW if known is None else Outcome.CHEAPER)
            frontier.put((child.g + h, h, -child.number, child))
    return None
