"""Bidirectional breadth-first search: from the start and from the goal, until the two meet.

    put the start into the one frontier, the goal into the other
    while both frontiers hold nodes:
        for each node of the level on the side that has fewer:
            for each successor:
                if this side knows its board: leave it out
                if the other side knows its board: join the two paths, done
                put it into this side's frontier

Each side goes half as deep, and boards multiply with the depth: two small circles hold far less
than a large one. It needs a goal that is one board, and moves that can be undone.

The first meeting is a shortest path, as whole levels are done one after the other. Say that the
one side has done its levels up to a and the other up to b, and they have not met. Then no solution
has a + b moves or fewer: the board a moves along it would be known to both. So the next level
finds one of a + b + 1 moves, or none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome, State


class BackwardNode(Node):
    """A node of the search from the goal; its g counts the moves that lead from it to the goal."""

    __slots__ = ()

    backward = True


class _Both:
    """The frontiers, or the known boards, of the two sides as one; the active side comes first."""

    def __init__(self, first: Collection[Any], second: Collection[Any]) -> None:
        self._first = first
        self._second = second

    def __len__(self) -> int:
        return len(self._first) + len(self._second)

    def __iter__(self) -> Iterator[Any]:
        return chain(self._first, self._second)


class _Side:
    def __init__(self, root: Node) -> None:
        self.frontier = deque([root])
        self.known = {root.state: root}


def bidirectional(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node, at the end of a shortest path.

    Complete and optimal. What the meter sees as the frontier is both frontiers.
    Pohl, "Bi-directional search", 1971.
    """
    root = problem.root()
    if root.state == problem.goal:
        return root
    target = BackwardNode(problem.goal, None, -1, 0)
    target.number = -1
    forward, backward = _Side(root), _Side(target)
    while forward.frontier and backward.frontier:
        if len(forward.frontier) <= len(backward.frontier):
            met = _level(problem, meter, forward, backward)
        else:
            met = _level(problem, meter, backward, forward)
        if met is not None:
            return _joined(forward.known[met], backward.known[met])
    return None


def _level(problem: Problem, meter: Meter, side: _Side, other: _Side) -> State | None:
    frontier, known = _Both(side.frontier, other.frontier), _Both(side.known, other.known)
    for _ in range(len(side.frontier)):
        meter.observe(frontier, known)
        node = side.frontier.popleft()
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in side.known:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            side.known[child.state] = child
            if child.state in other.known:
                return child.state
            side.frontier.append(child)
    return None


def _joined(node: Node, behind: Node) -> Node:
    """Return the goal's node: the path to a node, then the way from it to the goal."""
    while behind.parent is not None:
        move, behind = behind.move ^ 1, behind.parent
        node = Node(behind.state, node, move, node.g + 1)
        node.number = behind.number
    return node
