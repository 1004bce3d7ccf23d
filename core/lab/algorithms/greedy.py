"""Greedy best-first search: always on from the board that looks nearest to the goal.

    put the start into the frontier
    while the frontier holds a node:
        take the node with the least h
        if it is the goal: done
        for each successor:
            if its board is known: leave it out
            put it into the frontier

What a path has cost so far does not count, so that solutions come soon and are long.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome


def greedy(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal's node, at the end of some path; nothing is promised about its length.

    Of nodes with the same h the one made first comes first.
    Doran, Michie, "Experiments with the Graph Traverser program", 1966.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, int, Node]] = [(root.h, 0, root)]
    known = {root.state}
    while frontier:
        meter.observe(frontier, known)
        node = heappop(frontier)[-1]
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in known:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            known.add(child.state)
            child.h = heuristic(child.state)
            meter.generate(child, Outcome.NEW)
            heappush(frontier, (child.h, child.number, child))
    return None
