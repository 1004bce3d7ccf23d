"""The outcome of a search of a large board, and the ancestry of a beam's boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import StopReason

# For each row of a level, its parent's row and the move from it: ``row << 2 | move``
Origins = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Outcome:
    moves: Moves | None  # a solution, not replayed; None if none was found
    nodes: int  # number of nodes generated
    seconds: float  # wall time
    stopped_by: StopReason | None  # None if the search completed
    width_share: float = 1.0  # mean width of a staged beam, relative to its planned width


# Looks for a solution below a bound. Arguments: board, goal, width, ``limits``, ``upper_bound``
BeamSearch = Callable[..., Outcome]


# Memory at which pruning starts. It is small compared to a level of a wide beam; with less, a
# narrow beam would spend its time on pruning.
MIN_PRUNING_BYTES = 16 << 20


class Ancestry:
    """The origins of all levels, without rows that have no descendants in the last level.

    All boards of a level share a few ancestors a few levels above, so the last few levels use
    nearly all of the memory.
    """

    def __init__(self) -> None:
        self.nbytes = 0
        self._levels: list[Origins] = []
        self._pruned_count = 0
        self._next_pruning_bytes = MIN_PRUNING_BYTES

    def add(self, origins: Origins) -> None:
        self._levels.append(origins)
        self.nbytes += origins.nbytes
        if self.nbytes >= self._next_pruning_bytes:
            self._prune()
            self._next_pruning_bytes = max(MIN_PRUNING_BYTES, 2 * self.nbytes)

    def moves_to(self, origin: int) -> Moves:
        """Return the moves from the start to the board with this origin in the last level."""
        moves = [origin & 3]
        for level in reversed(self._levels):
            origin = int(level[origin >> 2])
            moves.append(origin & 3)
        return np.array(moves[::-1], dtype=np.uint8)

    def _prune(self) -> None:
        for index in reversed(range(len(self._levels) - 1)):
            children, level = self._levels[index + 1], self._levels[index]
            has_children = np.zeros(level.size, dtype=np.bool_)
            has_children[children >> 2] = True
            if index < self._pruned_count and has_children.all():
                # No earlier level has changed since the last pruning.
                break
            numbers = np.cumsum(has_children, dtype=np.uint32) - np.uint32(1)
            self._levels[index + 1] = numbers[children >> 2] << np.uint32(2) | children & 3
            self._levels[index] = level[has_children]
        self._pruned_count = len(self._levels)
        self.nbytes = sum(level.nbytes for level in self._levels)
