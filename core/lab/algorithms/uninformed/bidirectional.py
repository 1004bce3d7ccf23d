"""Bidirectional breadth-first search: from the start and from the goal until both searches meet.

Each side searches half as deep, and because the number of boards grows exponentially with depth,
two shallow searches visit far fewer boards than one deep search. The algorithm requires a single
goal board and reversible moves.

The first meeting yields a shortest path because whole levels are expanded. Suppose one side has
finished levels up to a, the other up to b, and they have not met. Then no solution has a + b moves
or fewer, because both sides would have reached its board after a moves. The next level therefore
finds a solution of a + b + 1 moves or none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Outcome, State


class BackwardNode(Node):
    """A node of the search from the goal; its g is the number of moves from it to the goal."""

    __slots__ = ()

    backward = True


class _Combined:
    """A view of both frontiers, the active side first."""

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
        self.reached = {root.state: root}


def bidirectional(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal node, at the end of a shortest path.

    Complete and optimal. The meter counts both frontiers as one.
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
            meeting = _expand_level(problem, meter, forward, backward)
        else:
            meeting = _expand_level(problem, meter, backward, forward)
        if meeting is not None:
            return _join(forward.reached[meeting], backward.reached[meeting])
    return None


def _expand_level(problem: Problem, meter: Meter, side: _Side, other: _Side) -> State | None:
    frontier = _Combined(side.frontier, other.frontier)
    for _ in range(len(side.frontier)):
        meter.observe(frontier, meter.expanded)
        node = side.frontier.popleft()
        meter.expand(node)
        for child in problem.successors(node):
            if child.state in side.reached:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            meter.generate(child, Outcome.NEW)
            side.reached[child.state] = child
            if child.state in other.reached:
                return child.state
            side.frontier.append(child)
    return None


def _join(node: Node, backward: Node) -> Node:
    """Append the reversed path of the backward search to that of the forward search."""
    while backward.parent is not None:
        move, backward = backward.move ^ 1, backward.parent
        node = Node(backward.state, node, move, node.g + 1)
        node.number = backward.number
    return node
