"""A* that remembers no boards: it only never puts a board back to what its parent was.

    put the start into the frontier
    while the frontier holds a node:
        take the node with the least f = g + h
        if it is the goal: done
        for each successor, but not the one that leads back:
            put it into the frontier

Looking at one board instead of a table of all is known as the "critical optimisation" of an
exercise at Princeton. It spares the most frequent duplicate, not the others: a board is expanded
once for each path that leads to it within the optimum, so that time and memory grow with the
number of paths, not of boards. With a good heuristic that is bearable on 3×3; with none it is not.
"""

from __future__ import annotations

from heapq import heappop, heappush

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome


def a_star_parent(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal's node, at the end of a shortest path where the heuristic is admissible.

    Of nodes with the same f the deeper one comes first, then the one made last.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968. Sedgewick, Wayne, *Algorithms*, 4th edition, exercise "8 Puzzle".
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier: list[tuple[float, float, int, Node]] = [(root.h, root.h, 0, root)]
    while frontier:
        # Nodes that were expanded take memory too: the paths of those that wait go through them.
        meter.observe(frontier, range(meter.expanded))
        node = heappop(frontier)[-1]
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors_except_undo(node):
            child.h = h = heuristic(child.state)
            meter.generate(child, Outcome.NEW)
            heappush(frontier, (child.g + h, h, -child.number, child))
    return None
