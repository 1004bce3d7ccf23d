"""Records the steps of a search that belong to a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice
from typing import Any, cast

from tilework.core.lab.names import FrontierOrder
from tilework.core.lab.problem import Node
from tilework.core.lab.trace import Child, FrontierNode, Outcome, Step

MAX_FRONTIER_NODES = 12


@dataclass(slots=True)
class _Draft:
    """An unfinished step: recursive searches add successors after deeper steps."""

    number: int
    node: Node
    forbids_undo: bool
    children: list[tuple[Node, Outcome]] = field(default_factory=list)
    frontier_size: int = 0
    frontier: tuple[FrontierNode, ...] = ()

    def step(self) -> Step:
        node = self.node
        children = [_child(child, outcome) for child, outcome in self.children]
        if self.forbids_undo and node.parent is not None:
            back = node.parent.state
            children.append(Child(None, node.move ^ 1, back, node.g + 1, None, Outcome.FORBIDDEN))
        return Step(
            number=self.number,
            node=node.number,
            parent=None if node.parent is None else node.parent.number,
            backward=node.backward,
            state=node.state,
            g=node.g,
            h=node.h,
            children=tuple(children),
            frontier_size=self.frontier_size,
            frontier=self.frontier,
        )


def _child(child: Node, outcome: Outcome) -> Child:
    h = None if outcome is Outcome.DUPLICATE else child.h
    return Child(child.number, child.move, child.state, child.g, h, outcome)


class Recorder:
    """The recorded steps of one run.

    Parameters
    ----------
    is_recorded : callable; whether to record the step with this number, counted from 1
    order : FrontierOrder; the order of the algorithm's frontier. Its items are nodes, or tuples
        whose last item is a node; a heap is laid out as by ``heapq``.
    forbids_undo : bool
        Whether the algorithm never undoes a move. If so, steps also show the forbidden successor.
    """

    def __init__(
        self,
        is_recorded: Callable[[int], bool],
        order: FrontierOrder,
        *,
        forbids_undo: bool = False,
    ) -> None:
        self._is_recorded = is_recorded
        self._forbids_undo = forbids_undo
        self._order = order
        self._number = 0
        self._drafts: list[_Draft] = []
        self._by_node: dict[int, _Draft] = {}
        self._latest: _Draft | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(draft.step() for draft in self._drafts)

    def observe(self, frontier: Sized) -> None:
        if self._latest is not None:
            draft, self._latest = self._latest, None
            draft.frontier_size = len(frontier)
            draft.frontier = tuple(
                FrontierNode(node.number, node.state, node.g, node.h)
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
