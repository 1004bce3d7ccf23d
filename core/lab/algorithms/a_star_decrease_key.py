"""A* with decrease-key: a board waits once, and moves up when a shorter path to it is found.

    put the start into the frontier
    while the frontier holds a node:
        take the node with the least f = g + h
        if it is the goal: done
        for each successor:
            if its board is known by a path as short: leave it out
            if its board is new: put it into the frontier
            otherwise put this one in its place, moved up; again if it was expanded

The frontier is as small as it can be, and no entry is ever passed over. The price is a heap that
knows where each board's entry is, and writes it down at every move of an entry.
"""

from __future__ import annotations

from tilework.core.lab.meter import Meter
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.trace import Outcome, State

# f, h, what breaks a tie (no two entries have the same), and the node
Entry = tuple[float, float, int, Node]


class IndexedHeap:
    """Entries, the least first to be taken.

    Williams, "Algorithm 232: Heapsort", 1964; moving an entry up is the "decrease-key" of
    Dijkstra's and Prim's algorithms.
    """

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._places: dict[State, int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, place: int) -> Entry:
        return self._entries[place]

    def put(self, entry: Entry) -> None:
        """Add an entry, or put it in the place of a greater one of the same state."""
        place = self._places.get(entry[-1].state)
        if place is None:
            place = len(self._entries)
            self._entries.append(entry)
        self._move_up(place, entry)

    def pop(self) -> Entry:
        """Take the least entry out."""
        last = self._entries.pop()
        if not self._entries:
            del self._places[last[-1].state]
            return last
        least = self._entries[0]
        del self._places[least[-1].state]
        self._move_down(last)
        return least

    def _move_up(self, place: int, entry: Entry) -> None:
        """Write an entry where its parent is not greater, from a free place upwards."""
        entries = self._entries
        while place > 0:
            parent = (place - 1) // 2
            if entries[parent] < entry:
                break
            self._write(place, entries[parent])
            place = parent
        self._write(place, entry)

    def _move_down(self, entry: Entry) -> None:
        """Write an entry where no child is less, from the top downwards."""
        entries = self._entries
        count = len(entries)
        place = 0
        while (child := 2 * place + 1) < count:
            if child + 1 < count and entries[child + 1] < entries[child]:
                child += 1
            if entry < entries[child]:
                break
            self._write(place, entries[child])
            place = child
        self._write(place, entry)

    def _write(self, place: int, entry: Entry) -> None:
        self._entries[place] = entry
        self._places[entry[-1].state] = place


def a_star_decrease_key(problem: Problem, meter: Meter, heuristic: Heuristic) -> Node | None:
    """Return the goal's node, at the end of a shortest path where the heuristic is admissible.

    Of nodes with the same f the deeper one comes first, then the one made last.
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968. That expanded boards are opened again makes admissible estimates enough.
    """
    root = problem.root()
    root.h = heuristic(root.state)
    frontier = IndexedHeap()
    frontier.put((root.h, root.h, 0, root))
    shortest = {root.state: 0}
    while frontier:
        meter.observe(frontier, shortest)
        node = frontier.pop()[-1]
        if node.state == problem.goal:
            return node
        meter.expand(node)
        for child in problem.successors(node):
            known = shortest.get(child.state)
            if known is not None and known <= child.g:
                meter.generate(child, Outcome.DUPLICATE)
                continue
            shortest[child.state] = child.g
            child.h = h = heuristic(child.state)
            meter.generate(child, Outcome.NEW if known is None else Outcome.CHEAPER)
            frontier.put((child.g + h, h, -child.number, child))
    return None
