"""Backtracking with a memory: a board that was tried once is never tried again.

    try a board:
        remember it
        if it is the goal: done
        for each way the blank can go, up, down, left, right, but not back:
            if the board that it leads to was tried before: leave it out
            make the move
            try the board that it leads to
            if the goal was found there: done
            take the move back

It runs in no circle, at the price of a memory of every board. Its paths wind through most of the
boards there are before they meet the goal: of 3×3 they are far longer than a recursion may be
deep.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter, check_recursion_depth
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome, State


def backtracking_visited(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of the first path that meets it.

    Complete only on boards so small that no path is longer than the recursion may be deep; the
    path is any, not a short one.
    Golomb, Baumert, "Backtrack programming", 1965; the memory is that of Tarjan, "Depth-first
    search and linear graph algorithms", 1972.
    """
    return _try(problem, meter, problem.root(), [], set())


def _try(
    problem: Problem, meter: Meter, node: Node, path: list[Node], visited: set[State]
) -> Node | None:
    path.append(node)
    meter.observe(path, visited)
    visited.add(node.state)
    if node.state == problem.goal:
        return node
    check_recursion_depth(path)
    meter.expand(node)
    for child in problem.successors_except_undo(node):
        if child.state in visited:
            meter.generate(child, Outcome.DUPLICATE)
            continue
        meter.generate(child, Outcome.NEW)
        found = _try(problem, meter, child, path, visited)
        if found is not None:
            return found
    path.pop()
    return None
