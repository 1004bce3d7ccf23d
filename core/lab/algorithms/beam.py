"""Beam search: of all boards one move on, only those that look best are kept.

    the beam is the start alone
    while the beam holds a node:
        for each node of the beam:
            make its successors
            leave out boards that were made or in a beam before
        if the goal is among the successors: done
        those with the least h are the next beam, as many as the width
        leave out the others

Time and memory grow with the depth alone. What does not fit in is forgotten, the way to the goal
perhaps with it: a beam may run empty, and what it finds may be far longer than needed.
"""

from __future__ import annotations

from collections import deque
from heapq import nsmallest

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome, State


def beam(problem: Problem, meter: Meter, heuristic: Heuristic, width: int) -> Node | None:
    """Return the goal's node, at the end of some path, or None where a beam came to be empty.

    Of nodes with the same h the one made first is kept.
    Lowerre, "The Harpy speech recognition system", 1976.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    if root.state == problem.goal:
        return root
    kept = [root]
    known = {root.state}
    while kept:
        fresh = _successors(kept, known, problem, meter, heuristic)
        found = fresh.get(problem.goal)
        kept = nsmallest(width, fresh.values(), key=_h) if found is None else [found]
        known.update(node.state for node in kept)
        for child in fresh.values():
            if child.state not in known:
                meter.cut(child)
        if found is not None:
            return found
    return None


def _successors(
    kept: list[Node], known: set[State], problem: Problem, meter: Meter, heuristic: Heuristic
) -> dict[State, Node]:
    """Return one node for each new board that is a move on from a beam."""
    fresh: dict[State, Node] = {}
    waiting = deque(kept)
    while waiting:
        # Those that wait are known too; a node is not kept twice.
        meter.observe(waiting, range(len(known) - len(waiting) + len(fresh)))
        node = waiting.popleft()
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in known or child.state in fresh:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            fresh[child.state] = child
            child.h = heuristic(child.state)
            meter.generate(child, Outcome.NEW)
    return fresh


def _h(node: Node) -> float:
    return node.h
