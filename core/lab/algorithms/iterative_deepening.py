"""Iterative deepening: depth-first searches that may go deeper and deeper.

    for limit = 1, 2, 3, …:
        put the start on the stack
        while the stack holds a node:
            take the node that was put on last
            for each successor, but not the one that leads back:
                if it is the goal: done
                if its board was searched with as many moves left: leave it out
                if it is limit moves from the start: leave it out
                put it on the stack

As the paths to the boards of a depth multiply with each move, nearly all the work is in the last
limit, and to begin anew costs little (Korf). What it saves is breadth-first search's memory. But
where many paths lead to one board it searches that board once for each of them, and the hardest
3×3 boards would take minutes. Two things help, and both are here:

A table keeps, for each board, how many moves were left when it was searched. With as many left or
fewer there is nothing to find below it, so it is not searched again (Reinefeld, Marsland). The
table stays from limit to limit. With it the search meets hardly any board twice within one limit,
and gives back most of the memory that it saved.

Limits go up by two. Every move brings the blank one cell on, as on a chessboard from white to black
or from black to white. So the blank's way to its place in the goal is even or odd, and as it is, so
is the length of every solution.
"""

from __future__ import annotations

from itertools import count

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome, State


def iterative_deepening(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of a shortest path.

    Complete and optimal: no limit under the length of a shortest path holds a solution, and the
    first one that does holds one of just that length. The stack is its own: no recursion limits
    how deep it goes.
    Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985. Reinefeld,
    Marsland, "Enhanced iterative-deepening search", 1994, for the table.
    """
    if problem.start == problem.goal:
        return problem.root()
    searched: dict[State, int] = {}
    for limit in count(_first_limit(problem), 2):
        found, is_cut = _search(problem, meter, limit, searched)
        if found is not None or not is_cut:
            return found
    raise AssertionError("limits go up for ever")


def _search(
    problem: Problem, meter: Meter, limit: int, searched: dict[State, int]
) -> tuple[Node | None, bool]:
    """Return the goal's node, if it is at most so many moves away, and whether anything is cut."""
    root = problem.root()
    stack = [root]
    searched[root.state] = limit
    is_cut = False
    while stack:
        meter.observe(stack, searched)
        node = stack.pop()
        left = limit - node.g - 1
        if searched[node.state] > left + 1:
            continue
        meter.expand(node)
        fresh = []
        for child in problem.successors_except_undo(node):
            if child.state == problem.goal:
                meter.generate(child, Outcome.NEW)
                return child, is_cut
            if searched.get(child.state, -1) >= left:
                meter.generate(child, Outcome.DUPLICATE)
            elif left == 0:
                meter.generate(child, Outcome.CUT)
                is_cut = True
            else:
                meter.generate(child, Outcome.NEW)
                searched[child.state] = left
                fresh.append(child)
        stack.extend(reversed(fresh))
    return None, is_cut


def _first_limit(problem: Problem) -> int:
    row, column = divmod(problem.start.index(0), problem.width)
    goal_row, goal_column = divmod(problem.goal.index(0), problem.width)
    return 2 - (row - goal_row + column - goal_column) % 2
