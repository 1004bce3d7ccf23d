"""Beam search: of all boards one move on, only those that look best are kept.

    the beam is the start alone
    while the beam holds a node:
        make the successors of all its nodes, and leave out boards that were in a beam before
        if the goal is among them: done
        the next beam is those with the least h, as many as the width

Time and memory grow with the depth alone. What does not fit in is forgotten, the way to the goal
perhaps with it: a beam may run empty, and what it finds may be far longer than needed.
"""

from __future__ import annotations

from collections import deque
from heapq import nsmallest

from core.lab.meter import Meter
from core.lab.problem import Estimate, Node, Problem
from core.search.trace import Outcome, State


def beam(problem: Problem, meter: Meter, estimate: Estimate, width: int) -> Node | None:
    """Return the goal's node, at the end of some path, or None where a beam came to be empty.

    Of nodes with the same h the one made first is kept.

    Parameters
    ----------
    width : int
        Most nodes of a beam, from 1.

    Notes
    -----
    Lowerre, "The Harpy speech recognition system", 1976.
    """
    root = problem.root()
    root.h = estimate(root.state)
    if root.state == problem.goal:
        return root
    kept = [root]
    known = {root.state}
    while kept:
        made = _successors(kept, known, problem, meter)
        fresh: dict[State, Node] = {}
        for child in made:
            if child.state not in known:
                fresh.setdefault(child.state, child)
        for child in fresh.values():
            child.h = estimate(child.state)
        found = fresh.get(problem.goal)
        kept = nsmallest(width, fresh.values(), key=_h) if found is None else [found]
        known.update(node.state for node in kept)
        for child in made:
            meter.generate(child, _outcome(child, fresh, known))
        if found is not None:
            return found
    return None


def _successors(kept: list[Node], known: set[State], problem: Problem, meter: Meter) -> list[Node]:
    made: list[Node] = []
    waiting = deque(kept)
    while waiting:
        meter.look(waiting, known)
        node = waiting.popleft()
        meter.expand(node)
        made.extend(problem.children(node))
    return made


def _outcome(child: Node, fresh: dict[State, Node], known: set[State]) -> Outcome:
    """Say what became of a successor, once the next beam is known."""
    if fresh.get(child.state) is not child:
        return Outcome.DUPLICATE
    return Outcome.NEW if child.state in known else Outcome.CUT


def _h(node: Node) -> float:
    return node.h
