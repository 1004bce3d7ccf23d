"""A* that replaces frontier entries, as in a widely used course program, including its bug.

The heap compares f alone. If a shorter path to a waiting board is found, the program deletes the
old entry from the heap's list. This shifts all later entries by one index, to other parents, and
nothing restores the heap order. The top of the heap may then not have the smallest f, so the first
solution found may not be shortest. `a_star_decrease_key` does the same correctly.

It is included because its figures are published: 4,792 boards visited for ``7 5 8 2 3 4 1 X 6``
with Manhattan distance, among others. To reproduce them the blank must move up, down, left, right,
ties must be broken by the heap's layout, and the goal counts as visited.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome, State


class _Entry(NamedTuple):
    """A frontier node, compared by f alone."""

    f: float
    node: Node

    def __lt__(self, other: tuple[object, ...]) -> bool:
        return isinstance(other, _Entry) and self.f < other.f


def a_star_replace(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal node. Its path is usually a shortest one, without a guarantee.

    Closed boards are never reopened.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968, is what such programs intend to implement. Williams, "Algorithm 232: Heapsort",
    1964, describes what a heap requires after a deletion.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    first = _Entry(root.h, root)
    frontier = [first]
    waiting = {root.state: first}
    closed: set[State] = set()
    while frontier:
        meter.observe(frontier, len(closed))
        node = heappop(frontier).node
        del waiting[node.state]
        closed.add(node.state)
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors(node):
            old = waiting.get(child.state)
            if child.state in closed or (old is not None and old.node.g <= child.g):
                meter.generate(child, Outcome.DUPLICATE)
                continue
            child.h = heuristic(child.state)
            meter.generate(child, Outcome.NEW if old is None else Outcome.CHEAPER)
            if old is not None:
                del frontier[frontier.index(old)]
            waiting[child.state] = entry = _Entry(child.g + child.h, child)
            heappush(frontier, entry)
    return None
