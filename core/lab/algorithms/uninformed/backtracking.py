"""Backtracking: try one move after another, and take moves back at dead ends.

Only the current path is stored, so memory use is minimal, but a board may repeat along a path. On
boards of at least two rows and two columns the blank can always move on and no move is ever taken
back: the first path either reaches the goal or goes in circles up to the recursion limit. On 2×2
the only cycle contains every board. On 3×3 nearly every run fails, which shows why a search needs
to remember what it has visited.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter, check_recursion_depth
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome


def backtracking(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of the first path that reaches it.

    Complete only on boards so small that no path exceeds the recursion limit. Not optimal. Memory
    is linear in the path length.
    Golomb, Baumert, "Backtrack programming", 1965.
    """
    return _try(problem, meter, problem.root(), [])


def _try(problem: Problem, meter: Meter, node: Node, path: list[Node]) -> Node | None:
    path.append(node)
    meter.observe(path)
    if node.state == problem.goal:
        return node
    check_recursion_depth(path)
    meter.expand(node)
    for child in problem.successors_except_undo(node):
        meter.generate(child, Outcome.NEW)
        goal_node = _try(problem, meter, child, path)
        if goal_node is not None:
            return goal_node
    path.pop()
    return None
