"""A* that replaces in the frontier, as a program in many courses has it, its flaw included.

    put the start into the frontier, a binary heap compared on f alone
    while the frontier holds a node:
        take the node at the top of the heap, and close its board
        if it is the goal: done
        for each successor:
            if its board is closed, or waits by a path as short: leave it out
            if its board waits: delete its entry from the heap's list
            push it

It is kept because its figures are published: 4,792 boards visited for ``7 5 8 2 3 4 1 X 6`` by
Manhattan distance, and others. They hold for just this order: the blank goes up, down, left,
right; whichever of equal f the heap happens to have on top comes first; the goal is visited, too.

The pitfall is the deletion. All entries behind the deleted one move up by a place, into places
below other parents, and nobody restores the heap: an entry may then lie below a greater one. So
the node on top need not be the one with the least f, and once that is not certain the first
solution taken need not be a shortest one. `a_star_decrease_key` does the same with care.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome, State


class _Entry(NamedTuple):
    """A node that waits, less than another where its f is: neither h nor age breaks a tie."""

    f: float
    node: Node

    def __lt__(self, other: tuple[object, ...]) -> bool:
        return isinstance(other, _Entry) and self.f < other.f


def a_star_replace(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal's node, at the end of a path that is mostly a shortest one; no promise.

    Closed boards are never opened again.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968, is what such programs mean to be. What a heap needs after a deletion: Williams,
    "Algorithm 232: Heapsort", 1964.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    first = _Entry(root.h, root)
    frontier = [first]
    waiting = {root.state: first}
    closed: set[State] = set()
    while frontier:
        meter.observe(frontier, closed)
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
