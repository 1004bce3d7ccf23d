"""Backtracking: one move after another, and back where no move is left.

    try a board:
        if it is the goal: done
        for each way the blank can go, up, down, left, right, but not back:
            make the move
            try the board that it leads to
            if the goal was found there: done
            take the move back

Nothing is remembered but the path, so that it takes hardly any memory, and pays for it: a board may
come again and again on one path. Where a board has two rows and two columns or more, the blank can
always go on, and no move is ever taken back: either the first path meets the goal, or it runs in
circles until the recursion is too deep. On 2×2 the one circle there is holds every board. On 3×3
nearly every run ends as a failure: the lesson is what a search is without a memory.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter, check_recursion_depth
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome


def backtracking(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of the first path that meets it.

    Complete only on boards so small that no path is longer than the recursion may be deep; the
    path is any, not a short one. Takes memory for the path alone.
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
        found = _try(problem, meter, child, path)
        if found is not None:
            return found
    path.pop()
    return None
