"""Depth-first search, recursive: from each board on to the first of its successors.

    visit a board:
        mark it
        if it is the goal: done
        make all its successors
        for each successor:
            if its board is marked: leave it out
            visit it
            if the goal was found there: done

It differs from backtracking in that it makes all successors of a board at once, also the one that
leads back, which is marked. A successor may be marked by the time its turn comes, as those before
it were searched to the end. A path on 3×3 is nearly always
longer than a recursion may be deep.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter, check_recursion_depth
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome, State


def depth_first_recursive(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of the first path that meets it.

    Complete only on boards so small that no path is longer than the recursion may be deep; the
    path is any, not a short one.
    Tarjan, "Depth-first search and linear graph algorithms", 1972.
    """
    return _visit(problem, meter, problem.root(), [], set())


def _visit(
    problem: Problem, meter: Meter, node: Node, path: list[Node], marked: set[State]
) -> Node | None:
    path.append(node)
    meter.observe(path, marked)
    marked.add(node.state)
    if node.state == problem.goal:
        return node
    check_recursion_depth(path)
    meter.expand(node)
    children = list(problem.successors(node))
    for child in children:
        known = child.state in marked
        meter.generate(child, Outcome.DUPLICATE if known else Outcome.NEW)
    for child in children:
        if child.state not in marked:
            found = _visit(problem, meter, child, path, marked)
            if found is not None:
                return found
    path.pop()
    return None
