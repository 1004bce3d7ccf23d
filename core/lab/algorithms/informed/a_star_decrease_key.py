"""A* with decrease-key: a board is in the frontier once and moves up when its path shortens.

The frontier is as small as possible and no popped entry is skipped. The cost is a heap that records
the position of each board and updates it whenever an entry moves.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import Outcome, State

# f, h, a unique tie-breaker, and the node
Entry = tuple[float, float, int, Node]


class IndexedHeap:
    """A binary heap that knows the position of each state.

    Williams, "Algorithm 232: Heapsort", 1964; moving an entry up is the decrease-key
    operation of Dijkstra's and Prim's algorithms.
    """

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._positions: dict[State, int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, position: int) -> Entry:
        return self._entries[position]

    def push(self, entry: Entry) -> None:
        """Add an entry, or replace a greater entry of the same state."""
        position = self._positions.get(entry[-1].state)
        if position is None:
            position = len(self._entries)
            self._entries.append(entry)
        self._sift_up(position, entry)

    def pop(self) -> Entry:
        """Remove and return the smallest entry."""
        last = self._entries.pop()
        if not self._entries:
            del self._positions[last[-1].state]
            return last
        smallest = self._entries[0]
        del self._positions[smallest[-1].state]
        self._sift_down(last)
        return smallest

    def _sift_up(self, position: int, entry: Entry) -> None:
        """Sift an entry up from a free position."""
        entries = self._entries
        while position > 0:
            parent = (position - 1) // 2
            if entries[parent] < entry:
                break
            self._write(position, entries[parent])
            position = parent
        self._write(position, entry)

    def _sift_down(self, entry: Entry) -> None:
        """Sift an entry down from the root."""
        entries = self._entries
        count = len(entries)
        position = 0
        while (child := 2 * position + 1) < count:
            if child + 1 < count and entries[child + 1] < entries[child]:
                child += 1
            if entry < entries[child]:
                break
            self._write(position, entries[child])
            position = child
        self._write(position, entry)

    def _write(self, position: int, entry: Entry) -> None:
        self._entries[position] = entry
        self._positions[entry[-1].state] = position


def a_star_decrease_key(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal node. Its path is shortest if the heuristic is admissible.

    Nodes with equal f are taken deepest first, then newest first. Because expanded boards can be
    reopened, admissibility is enough.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier = IndexedHeap()
    frontier.push((root.h, root.h, 0, root))
    best_g = {root.state: 0}
    while frontier:
        meter.observe(frontier, meter.expanded)
        node = frontier.pop()[-1]
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors(node):
            previous_g = best_g.get(child.state)
            if previous_g is not None and previous_g <= child.g:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            best_g[child.state] = child.g
            child.h = h = heuristic(child.state)
            meter.generate(child, Outcome.NEW if previous_g is None else Outcome.CHEAPER)
            frontier.push((child.g + h, h, -child.number, child))
    return None
