"""In which order the subtrees of a board are searched, threshold by threshold.

Under the last threshold the search ends where it meets a solution, so that the order decides how
much of the tree it sees. A solution is likely in large and growing parts of the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tilework.core.solver.kernels.constants import MOST_BATCHED_MOVES
from tilework.core.solver.kernels.depth_first.subtrees import (
    COLUMNS,
    CUT,
    KNOWN,
    NODES,
    ORDERED,
    PLACES,
)

if TYPE_CHECKING:
    from tilework.core.solver.optimal.batches import Batches
    from tilework.core.solver.optimal.engines import Engine, Start

Words = NDArray[np.int64]

TOP = 7
"""Moves of the paths to the subtrees: one or two hundred of them."""

ENOUGH_NODES = 300
"""After a tree of this many nodes, ordering the next one pays."""

MOST_CELLS = 16
"""Of larger boards a beam mostly spares the last threshold: on the whole they gain nothing."""

MOST_SUBTREES = 4 * 3 ** (TOP - 1)


def in_order_of_promise(nodes: Words, before: Words | None) -> Words:
    """Return the numbers of subtrees, those that a solution is likely in first.

    Parameters
    ----------
    nodes, before : int64 arrays
        By subtree, nodes under the last threshold, and under the one before it if there was one.

    Notes
    -----
    The promise of a subtree is its nodes times the root of what they have grown by.
    """
    # A subtree whose root was over the threshold before the last has no known growth.
    growth = nodes / np.maximum(nodes if before is None else before, 1)
    return np.argsort(-nodes * np.sqrt(growth), kind="stable")


class Subtrees:
    """What is known about one board's subtrees, from one threshold to the next.

    Attributes
    ----------
    table, order, place : int64 arrays
        See `tilework.core.solver.kernels.depth_first.subtrees`.
    ordered : bool
        Whether this threshold is searched subtree by subtree.

    """

    def __init__(self) -> None:
        self.ordered = False
        self.table = np.empty((0, COLUMNS), dtype=np.int64)
        self.order = np.empty(0, dtype=np.int64)
        self.place = np.zeros(PLACES, dtype=np.int64)
        self._before: Words | None = None
        self._engine = ""
        self._threshold = -1
        self._nodes = 0
        self._batches: Batches | None = None
        self._batched_by = ""

    @property
    def arrays(self) -> tuple[Words, ...]:
        """What a kernel changes, in the order in which it takes them."""
        return self.table, self.order, self.place

    def batches(self, engine: Engine, start: Start, threshold: int) -> Batches | None:
        """Start a threshold of a search by many nodes at a time, where the engine has one."""
        if not TOP < threshold <= MOST_BATCHED_MOVES:
            return None
        if self._batches is None or engine.name != self._batched_by:
            self._batches, self._batched_by = engine.batches(start), engine.name
        if self._batches is not None:
            self._batches.begin(threshold)
        return self._batches

    def begin(self, engine: str, threshold: int) -> None:
        """Start a threshold with the named engine."""
        # The paths of the top are under every higher threshold of the same engine.
        if engine != self._engine or threshold <= self._threshold or self.place[CUT] > 0:
            self._forget()
        self._engine, self._threshold = engine, threshold
        if self.ordered:
            self._put_in_order()
        elif self._nodes >= ENOUGH_NODES and threshold > TOP:
            self.table = np.empty((MOST_SUBTREES, COLUMNS), dtype=np.int64)
            self.order = np.empty(MOST_SUBTREES, dtype=np.int64)
            self.place[CUT] = TOP
            self.ordered = True
        self._nodes = 0

    def count(self, nodes: int) -> None:
        """Add nodes that were generated under this threshold."""
        self._nodes += nodes

    def _forget(self) -> None:
        self.ordered = False
        self.place[:] = 0
        self._before = None
        self._nodes = 0

    def _put_in_order(self) -> None:
        known = int(self.place[KNOWN])
        nodes = self.table[:known, NODES]
        now = nodes.copy()
        self.order[:known] = in_order_of_promise(now, self._before)
        nodes[:] = 0
        self.place[:] = 0
        self.place[KNOWN] = self.place[ORDERED] = known
        self._before = now
