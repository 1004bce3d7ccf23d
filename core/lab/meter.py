"""Counts the steps of an algorithm, records them for a trace, and stops it when it reaches a limit.

An algorithm calls ``observe`` before it takes a node from its frontier, ``expand`` before it
generates the node's successors, ``generate`` for each successor with its outcome, and ``cut`` if it
later discards a new successor. The caller of the algorithm calls ``finish`` at the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice
from sys import getsizeof
from typing import Any, Final, cast

from tilework.core.lab.methods import FrontierOrder
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.result import Child, FrontierNode, Letter, Outcome, Step
from tilework.core.messages import Message, plural
from tilework.core.search.limits import Limits, StopReason

MAX_FRONTIER_NODES = 12

_LETTERS: Final[tuple[Letter, ...]] = ("U", "D", "L", "R")


@dataclass(slots=True)
class _Draft:
    """An unfinished step: recursive searches add successors after deeper steps."""

    number: int
    node: Node
    forbids_undo: bool
    children: list[tuple[Node, Outcome]] = field(default_factory=list)
    frontier_size: int = 0
    frontier: tuple[FrontierNode, ...] = ()

    def step(self, weight: float) -> Step:
        node = self.node
        children = [_child(child, outcome, weight) for child, outcome in self.children]
        if self.forbids_undo and node.parent is not None:
            move, back = _LETTERS[node.move ^ 1], node.parent.state
            children.append(Child(None, move, back, node.g + 1, None, None, Outcome.FORBIDDEN))
        return Step(
            number=self.number,
            node=node.number,
            parent=None if node.parent is None else node.parent.number,
            backward=node.backward,
            board=node.state,
            g=node.g,
            h=node.h,
            f=node.g + weight * node.h,
            children=tuple(children),
            frontier_size=self.frontier_size,
            frontier=self.frontier,
        )


def _child(child: Node, outcome: Outcome, weight: float) -> Child:
    is_estimated = outcome is not Outcome.DUPLICATE
    return Child(
        child.number,
        _LETTERS[child.move],
        child.state,
        child.g,
        child.h if is_estimated else None,
        child.g + weight * child.h if is_estimated else None,
        outcome,
    )


class Recorder:
    """The recorded steps of one run.

    Parameters
    ----------
    is_recorded : callable; whether to record the step with this number, counted from 1
    order : FrontierOrder; the order of the algorithm's frontier. Its items are nodes, or tuples
        whose last item is a node; a heap is laid out as by ``heapq``.
    forbids_undo : bool
        Whether the algorithm never undoes a move. If so, steps also show the forbidden successor.
    weight : float; of h in f; not 1 in weighted A*
    """

    def __init__(
        self,
        is_recorded: Callable[[int], bool],
        order: FrontierOrder,
        *,
        forbids_undo: bool = False,
        weight: float = 1,
    ) -> None:
        self._is_recorded = is_recorded
        self._forbids_undo = forbids_undo
        self._order = order
        self._weight = weight
        self._number = 0
        self._drafts: list[_Draft] = []
        self._by_node: dict[int, _Draft] = {}
        self._latest: _Draft | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(draft.step(self._weight) for draft in self._drafts)

    def observe(self, frontier: Sized) -> None:
        if self._latest is not None:
            draft, self._latest = self._latest, None
            draft.frontier_size = len(frontier)
            draft.frontier = tuple(
                FrontierNode(
                    node.number, node.state, node.g, node.h, node.g + self._weight * node.h
                )
                for node in self._next_nodes(frontier)
            )

    def expand(self, node: Node) -> None:
        self._number += 1
        if self._is_recorded(self._number):
            self._latest = _Draft(self._number, node, self._forbids_undo)
            self._drafts.append(self._latest)
            self._by_node[node.number] = self._latest

    def generate(self, child: Node, outcome: Outcome) -> None:
        draft = self._find_draft(child.parent)
        if draft is not None:
            draft.children.append((child, outcome))

    def cut(self, child: Node) -> None:
        draft = self._find_draft(child.parent)
        if draft is not None:
            draft.children = [
                (node, Outcome.CUT if node is child else outcome)
                for node, outcome in draft.children
            ]

    def _find_draft(self, node: Node | None) -> _Draft | None:
        draft = None if node is None else self._by_node.get(node.number)
        return draft if draft is not None and draft.node is node else None

    def _next_nodes(self, frontier: Sized) -> Iterable[Node]:
        items = cast("list[Any]", frontier)
        if self._order is FrontierOrder.HEAP:
            ordered: Iterable[Any] = _sorted_heap(items)
        elif self._order is FrontierOrder.STACK:
            ordered = reversed(items)
        else:
            ordered = items
        return [
            item[-1] if isinstance(item, tuple) else item
            for item in islice(ordered, MAX_FRONTIER_NODES)
        ]


def _sorted_heap(items: Sequence[Any]) -> Iterator[Any]:
    """Yield a heap's items in order, without sorting all of it."""
    indices = range(len(items))
    candidates = [(items[index], index) for index in indices[:1]]
    while candidates:
        item, index = heappop(candidates)
        yield item
        for child in indices[2 * index + 1 : 2 * index + 3]:
            heappush(candidates, (items[child], child))


# Generated nodes between two checks of the limits: a few milliseconds.
_CHECK_INTERVAL = 500

# An entry in the frontier and one in a hash table, including its share of empty slots.
_ENTRY_BYTES = 80


class SearchStopped(Exception):  # noqa: N818 -- control flow, not an error
    """A limit was reached; `tilework.core.lab.run` turns it into a result."""

    def __init__(self, reason: StopReason, message: Message) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Meter:
    def __init__(self, problem: Problem, limits: Limits, recorder: Recorder | None = None) -> None:
        self.expanded = 0
        self.generated = 0
        self.duplicates = 0
        self.depth = 0
        self.frontier = 0
        self.max_frontier = 0
        self.stored = 0
        self.seconds = 0.0
        self.started = time.perf_counter()
        self._node_bytes = node_bytes(problem)
        self._limits = limits
        self._recorder = recorder
        self._check_at = 0
        self._frontier: Sized = ()
        self._others = 0

    @property
    def memory_bytes(self) -> int:
        return self.stored * self._node_bytes

    def observe(self, frontier: Sized, others: int = 0) -> None:
        """Record the frontier and the number of other nodes in memory, such as expanded ones.

        Then check the limits.
        """
        self._frontier = frontier
        self._others = others
        self._measure()
        if self.generated >= self._check_at:
            self._check()

    def expand(self, node: Node) -> None:
        self.expanded += 1
        if node.g > self.depth:
            self.depth = node.g
        if self._recorder is not None:
            self._recorder.expand(node)

    def generate(self, child: Node, outcome: Outcome) -> None:
        """Count a successor and its outcome, and number it."""
        self.generated += 1
        child.number = self.generated
        if outcome is Outcome.DUPLICATE:
            self.duplicates += 1
        if self._recorder is not None:
            self._recorder.generate(child, outcome)

    def cut(self, child: Node) -> None:
        if self._recorder is not None:
            self._recorder.cut(child)

    def finish(self) -> None:
        """Record the time and the final frontier, and release the nodes."""
        self.seconds = time.perf_counter() - self.started
        self._measure()
        self._frontier = ()

    def _measure(self) -> None:
        self.frontier = size = len(self._frontier)
        if size > self.max_frontier:
            self.max_frontier = size
        node_count = size + self._others
        if node_count > self.stored:
            self.stored = node_count
        if self._recorder is not None:
            self._recorder.observe(self._frontier)

    def _check(self) -> None:
        limits = self._limits
        seconds = time.perf_counter() - self.started
        reason = limits.check(seconds, self.generated, self.memory_bytes)
        if reason is not None:
            raise SearchStopped(reason, _message(reason, limits))
        self._check_at = self.generated + _CHECK_INTERVAL
        if limits.nodes is not None:
            self._check_at = min(self._check_at, limits.nodes)


def _message(reason: StopReason, limits: Limits) -> Message:
    match reason:
        case StopReason.NODES:
            return plural(
                "node-limit-reached",
                "The limit of {count} node was reached.",
                "The limit of {count} nodes was reached.",
                count=limits.nodes or 0,
            )
        case StopReason.MEMORY:
            return Message(
                "memory-limit-reached",
                "The limit of {limit:g} MiB was reached.",
                limit=(limits.memory_bytes or 0) / 2**20,
            )
        case StopReason.TIME:
            return Message(
                "time-limit-reached", "The limit of {limit:g} s was reached.", limit=limits.seconds
            )
        case _:
            return Message("run-cancelled", "The run was cancelled.")


def node_bytes(problem: Problem) -> int:
    """Estimate the memory of one stored node."""
    root = problem.root()
    return getsizeof(root) + getsizeof(root.state) + _ENTRY_BYTES


MAX_RECURSION_DEPTH = 700


def check_recursion_depth(path: list[Node]) -> None:
    """Stop a recursive search whose path has reached the recursion limit."""
    if len(path) >= MAX_RECURSION_DEPTH:
        raise SearchStopped(
            StopReason.DEPTH,
            Message(
                "recursion-depth",
                "The recursion reached its limit of {calls} calls; searches with an explicit "
                "stack, such as backtracking-stack or depth-first, have no such limit.",
                calls=MAX_RECURSION_DEPTH,
            ),
        )
