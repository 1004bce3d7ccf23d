"""Backtracking with a visited set: no board is tried twice.

The search cannot go in circles, but it stores every board it has tried. On 3×3 its paths wind
through most of the state space, far beyond the recursion limit, before they reach the goal.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter, check_recursion_depth
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome, State


def backtracking_visited(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of the first path that reaches it.

    Complete only on boards so small that no path exceeds the recursion limit. Not optimal.
    Golomb, Baumert, "Backtrack programming", 1965; the visited set is that of Tarjan, "Depth-first
    search and linear graph algorithms", 1972.
    """
    return _try(problem, meter, problem.root(), [], set())


def _try(
    problem: Problem, meter: Meter, node: Node, path: list[Node], visited: set[State]
) -> Node | None:
    path.append(node)
    visited.add(node.state)
    meter.observe(path, len(visited) - len(path))
    if node.state == problem.goal:
        return node
    check_recursion_depth(path)
    meter.expand(node)
    for child in problem.successors_except_undo(node):
        if child.state in visited:
            meter.generate(child, Outcome.DUPLICATE)
            continue
        meter.generate(child, Outcome.NEW)
        goal_node = _try(problem, meter, child, path, visited)
        if goal_node is not None:
            return goal_node
    path.pop()
    return None
