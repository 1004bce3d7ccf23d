"""The recorder of a trace: it keeps the steps that a window shows, and drops the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice
from typing import Any, cast

from tilework.core.lab.names import FrontierOrder
from tilework.core.lab.problem import Node
from tilework.core.lab.trace import Child, FrontierNode, Outcome, Step

MOST_WAITING = 12


@dataclass(slots=True)
class _Draft:
    """A step whose successors may still come: a recursion makes the second after the first's."""

    number: int
    node: Node
    no_return: bool
    children: list[tuple[Node, Outcome]] = field(default_factory=list)
    frontier_size: int = 0
    frontier: tuple[FrontierNode, ...] = ()

    def step(self) -> Step:
        node = self.node
        children = [_child(child, outcome) for child, outcome in self.children]
        if self.no_return and node.parent is not None:
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
    """Steps of one run.

    Parameters
    ----------
    keeps : callable; whether the step of a number, from 1, is to be kept
    order : FrontierOrder; how the algorithm's frontier is ordered. Its items are nodes, or tuples
        that end in one; those of a heap lie as ``heapq`` has them.
    no_return : bool
        Whether the algorithm forbids to undo a node's own move: then that neighbour is shown, too.
    """

    def __init__(
        self, keeps: Callable[[int], bool], order: FrontierOrder, *, no_return: bool = False
    ) -> None:
        self._keeps = keeps
        self._no_return = no_return
        self._order = order
        self._number = 0
        self._drafts: list[_Draft] = []
        self._by_node: dict[int, _Draft] = {}
        self._fresh: _Draft | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(draft.step() for draft in self._drafts)

    def observe(self, frontier: Sized) -> None:
        if self._fresh is not None:
            draft, self._fresh = self._fresh, None
            draft.frontier_size = len(frontier)
            draft.frontier = tuple(
                FrontierNode(one.number, one.state, one.g, one.h) for one in self._next(frontier)
            )

    def expand(self, node: Node) -> None:
        self._number += 1
        if self._keeps(self._number):
            self._fresh = _Draft(self._number, node, self._no_return)
            self._drafts.append(self._fresh)
            self._by_node[node.number] = self._fresh

    def generate(self, child: Node, outcome: Outcome) -> None:
        draft = self._draft_of(child.parent)
        if draft is not None:
            draft.children.append((child, outcome))

    def cut(self, child: Node) -> None:
        draft = self._draft_of(child.parent)
        if draft is not None:
            draft.children = [
                (one, Outcome.CUT if one is child else outcome) for one, outcome in draft.children
            ]

    def _draft_of(self, node: Node | None) -> _Draft | None:
        draft = None if node is None else self._by_node.get(node.number)
        return draft if draft is not None and draft.node is node else None

    def _next(self, frontier: Sized) -> Iterable[Node]:
        items = cast("list[Any]", frontier)
        if self._order is FrontierOrder.HEAP:
            chosen: Iterable[Any] = islice(_sorted_heap(items), MOST_WAITING)
        elif self._order is FrontierOrder.STACK:
            chosen = islice(reversed(items), MOST_WAITING)
        else:
            chosen = islice(items, MOST_WAITING)
        return [item[-1] if isinstance(item, tuple) else item for item in chosen]


def _sorted_heap(items: Sequence[Any]) -> Iterator[Any]:
    """Yield a heap's items, the least first, reading no more of it than needed."""
    places = range(len(items))
    next_ones = [(items[place], place) for place in places[:1]]
    while next_ones:
        item, place = heappop(next_ones)
        yield item
        for below in places[2 * place + 1 : 2 * place + 3]:
            heappush(next_ones, (items[below], below))
