"""A binary heap with one entry a state, which knows where each state's entry is.

The entry at place p is not greater than those at 2p + 1 and 2p + 2, its children.
"""

from __future__ import annotations

from tilework.core.lab.problem import Node
from tilework.core.lab.trace import State

Entry = tuple[float, float, int, Node]
"""f, h, what breaks a tie (no two entries have the same), and the node."""


class IndexedHeap:
    """Entries, the least first to be taken.

    Notes
    -----
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
        """Take the least entry out.

        Raises
        ------
        IndexError
            Of an empty heap.
        """
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
