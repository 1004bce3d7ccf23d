"""IDA*: depth-first searches that go no farther than a threshold on f, each farther than the last.

    threshold = h of the start
    repeat:
        put the start on the stack
        while the stack holds a node:
            take the node that was put on last
            if it is the goal: done
            for each successor, but not the one that leads back:
                if f = g + h is over the threshold: leave it out
                put it on the stack
        threshold = the least f that was over it

It remembers no boards, so that its memory is that of a path with its siblings. It pays with time:
boards are met again along every path, and all of a search again in the next one.
"""

from __future__ import annotations

from math import inf

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome


def ida_star(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal's node, at the end of a shortest path where the heuristic is admissible.

    Estimates may be fractions: thresholds are values of f, not made by adding one.
    Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985. There it is a
    recursion; a stack of its own lets it go as deep as memory allows.
    """
    threshold = heuristic(problem.start)
    while threshold < inf:
        found, threshold = _within(threshold, problem, meter, heuristic)
        if found is not None:
            return found
    return None


def _within(
    threshold: float, problem: Problem, meter: Meter, heuristic: Heuristic
) -> tuple[Node | None, float]:
    next_threshold = inf
    root = problem.root()
    root.h = heuristic(root.state)
    stack = [root]
    while stack:
        meter.observe(stack)
        node = stack.pop()
        if node.state == problem.goal:
            return node, next_threshold
        meter.expand(node)
        within = []
        for child in problem.successors_except_undo(node):
            child.h = heuristic(child.state)
            f = child.g + child.h
            if f > threshold:
                next_threshold = min(next_threshold, f)
                meter.generate(child, Outcome.CUT)
                continue
            meter.generate(child, Outcome.NEW)
            within.append(child)
        stack.extend(reversed(within))
    return None, next_threshold
