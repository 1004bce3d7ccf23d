"""IDA*: repeated depth-first searches, each limited by a larger threshold on f = g + h.

Memory is limited to a path and its siblings, because visited boards are not stored. The price is
time: a board is visited again along every path to it, and each search repeats all previous ones.
"""

from __future__ import annotations

from math import inf

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome


def ida_star(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal node. Its path is shortest if the heuristic is admissible.

    Heuristics may be fractional: the next threshold is the smallest f above the current one.
    Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985. The explicit
    stack replaces Korf's recursion and has no recursion limit.
    """
    threshold = heuristic(problem.start)
    while threshold < inf:
        goal_node, threshold = _search(threshold, problem, meter, heuristic)
        if goal_node is not None:
            return goal_node
    return None


def _search(
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
        successors = []
        for child in problem.successors_except_undo(node):
            child.h = heuristic(child.state)
            f = child.g + child.h
            if f > threshold:
                next_threshold = min(next_threshold, f)
                meter.generate(child, Outcome.CUT)
                continue
            meter.generate(child, Outcome.NEW)
            successors.append(child)
        stack.extend(reversed(successors))
    return None, next_threshold
