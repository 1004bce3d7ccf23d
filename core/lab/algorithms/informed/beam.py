"""Beam search: of all successors of a level, keep only the most promising.

Time and memory grow only linearly with the depth. Discarded nodes are lost, possibly including
those on the path to the goal: the beam can run empty, and a solution can be much longer than
necessary.
"""

from __future__ import annotations

from collections import deque
from heapq import nsmallest
from operator import attrgetter

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome, State


def beam(problem: Problem, meter: Meter, heuristic: Heuristic, width: int) -> Node | None:
    """Return the goal node, or None if the beam ran empty. Not optimal.

    Nodes with equal h are kept in the order of generation.
    Lowerre, "The Harpy speech recognition system", 1976.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    if root.state == problem.goal:
        return root
    level = [root]
    reached = {root.state}
    while level:
        successors = _successors(level, reached, problem, meter, heuristic)
        goal_node = successors.get(problem.goal)
        best = nsmallest(width, successors.values(), key=attrgetter("h"))
        level = best if goal_node is None else [goal_node]
        reached.update(node.state for node in level)
        for child in successors.values():
            if child.state not in reached:
                meter.cut(child)
        if goal_node is not None:
            return goal_node
    return None


def _successors(
    level: list[Node], reached: set[State], problem: Problem, meter: Meter, heuristic: Heuristic
) -> dict[State, Node]:
    """Return one node for each new board among the successors of a level."""
    successors: dict[State, Node] = {}
    waiting = deque(level)
    while waiting:
        meter.observe(waiting, len(reached) - len(waiting) + len(successors))
        node = waiting.popleft()
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in reached or child.state in successors:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            successors[child.state] = child
            child.h = heuristic(child.state)
            meter.generate(child, Outcome.NEW)
    return successors
