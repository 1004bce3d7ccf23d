"""Depth-first search, recursive: go from each board to its first unmarked successor.

Unlike backtracking, it generates all successors of a board together, including the previous board,
which is marked. The complete search below one successor may mark the next ones before their turn.
On 3×3 nearly every path exceeds the recursion limit.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter, check_recursion_depth
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome, State


def depth_first_recursive(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of the first path that reaches it.

    Complete only on boards so small that no path exceeds the recursion limit. Not optimal.
    Tarjan, "Depth-first search and linear graph algorithms", 1972.
    """
    return _visit(problem, meter, problem.root(), [], set())


def _visit(
    problem: Problem, meter: Meter, node: Node, path: list[Node], marked: set[State]
) -> Node | None:
    path.append(node)
    marked.add(node.state)
    meter.observe(path, len(marked) - len(path))
    if node.state == problem.goal:
        return node
    check_recursion_depth(path)
    meter.expand(node)
    successors = list(problem.successors(node))
    for child in successors:
        is_marked = child.state in marked
        meter.generate(child, Outcome.DUPLICATE if is_marked else Outcome.NEW)
    for child in successors:
        if child.state not in marked:
            goal_node = _visit(problem, meter, child, path, marked)
            if goal_node is not None:
                return goal_node
    path.pop()
    return None
