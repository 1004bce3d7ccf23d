"""What a search of a large board comes to, and the way it went by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import StopReason

# By row of a level, the row of the parent and the move from there: ``row << 2 | move``
Origins = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Outcome:
    # A solution, not replayed yet; None where none was found or the search was stopped
    moves: Moves | None
    nodes: int  # generated
    seconds: float  # wall time
    stopped_by: StopReason | None  # None where the search ended by itself


# Looks for a solution shorter than ``upper_bound`` in a beam: board, goal, width, ``limits``, bound
BeamSearch = Callable[..., Outcome]


# Little beside a level of a wide beam; a narrow one would spend most of its time on it
_TIDY_FROM = 16 << 20


class Ancestry:
    """The origins of all levels, without the rows that have no descendants in the last level.

    A beam's boards soon have few ancestors in common, so nearly all of the memory is that of the
    last few levels.
    """

    def __init__(self, tidy_from: int = _TIDY_FROM) -> None:
        self.nbytes = 0
        self._levels: list[Origins] = []
        self._tidied = 0
        self._tidy_from = self._tidy_at = tidy_from

    def add(self, origins: Origins) -> None:
        self._levels.append(origins)
        self.nbytes += origins.nbytes
        if self.nbytes >= self._tidy_at:
            self._tidy()
            self._tidy_at = max(self._tidy_from, 2 * self.nbytes)

    def moves_to(self, origin: int) -> Moves:
        """Return the moves from the start to the board with this origin, beyond the last level."""
        moves = [origin & 3]
        for level in reversed(self._levels):
            origin = int(level[origin >> 2])
            moves.append(origin & 3)
        return np.array(moves[::-1], dtype=np.uint8)

    def _tidy(self) -> None:
        for place in reversed(range(len(self._levels) - 1)):
            children, level = self._levels[place + 1], self._levels[place]
            has_children = np.zeros(level.size, dtype=np.bool_)
            has_children[children >> 2] = True
            if place < self._tidied and has_children.all():
                # Nothing has changed here, nor before, since the last clean-up.
                break
            numbers = np.cumsum(has_children, dtype=np.uint32) - np.uint32(1)
            self._levels[place + 1] = numbers[children >> 2] << np.uint32(2) | children & 3
            self._levels[place] = level[has_children]
        self._tidied = len(self._levels)
        self.nbytes = sum(level.nbytes for level in self._levels)
