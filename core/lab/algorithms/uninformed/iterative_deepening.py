"""Iterative deepening: repeated depth-first searches with increasing depth limits.

The number of paths grows exponentially with depth, so nearly all the work happens in the last
search and restarting costs little (Korf). It needs much less memory than breadth-first search, but
searches a board once for every path to it, which would take minutes on the hardest 3×3 boards. Two
improvements help:

A table records how many moves were left when a board was searched. If a board is reached with as
many moves left or fewer, nothing new can be found below it and it is skipped (Reinefeld, Marsland).
The table is shared by all limits. It avoids most repetitions and costs most of the memory saved.

Limits increase by two. Every move changes the colour of the blank's cell, as on a chessboard, so
all solutions of a board are of even length or all are of odd length.
"""

from __future__ import annotations

from itertools import count

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome, State


def iterative_deepening(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of a shortest path.

    Complete and optimal: no limit below the length of a shortest path admits a solution, and the
    first limit that does admits only solutions of exactly that length.
    Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985. Reinefeld,
    Marsland, "Enhanced iterative-deepening search", 1994, for the table.
    """
    if problem.start == problem.goal:
        return problem.root()
    searched: dict[State, int] = {}
    for limit in count(_first_limit(problem), 2):
        goal_node, is_cut = _search(problem, meter, limit, searched)
        if goal_node is not None or not is_cut:
            return goal_node
    raise AssertionError("unreachable: limits increase without end")


def _search(
    problem: Problem, meter: Meter, limit: int, searched: dict[State, int]
) -> tuple[Node | None, bool]:
    """Return the goal node if it is within the limit, and whether any node was cut off."""
    root = problem.root()
    stack = [root]
    searched[root.state] = limit
    is_cut = False
    while stack:
        meter.observe(stack, len(searched) - len(stack))
        node = stack.pop()
        meter.expand(node)
        moves_left = limit - node.g - 1
        successors = []
        for child in problem.successors_except_undo(node):
            if child.state == problem.goal:
                meter.generate(child, Outcome.NEW)
                return child, is_cut
            if searched.get(child.state, -1) >= moves_left:
                meter.generate(child, Outcome.DUPLICATE)
            elif moves_left == 0:
                meter.generate(child, Outcome.CUT)
                is_cut = True
            else:
                meter.generate(child, Outcome.NEW)
                searched[child.state] = moves_left
                successors.append(child)
        stack.extend(reversed(successors))
    return None, is_cut


def _first_limit(problem: Problem) -> int:
    row, column = divmod(problem.start.index(0), problem.width)
    goal_row, goal_column = divmod(problem.goal.index(0), problem.width)
    return 2 - (row - goal_row + column - goal_column) % 2
