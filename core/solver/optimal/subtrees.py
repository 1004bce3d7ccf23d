"""In which order the subtrees of a board are searched, threshold by threshold.

Under the last threshold the search ends where it meets a solution, so that the order decides how
much of the tree it sees. A solution is likely in large and growing parts of the tree.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.solver.kernels.depth_first.subtrees import (
    COLUMNS,
    CUT,
    KNOWN,
    NODES,
    ORDERED,
    PLACES,
)

Words = NDArray[np.int64]

TOP = 7
"""Moves of the paths to the subtrees: one or two hundred of them."""

ENOUGH_NODES = 300
"""After a tree of this many nodes, ordering the next one pays."""

MOST_CELLS = 16
"""Of larger boards a beam mostly spares the last threshold: on the whole they gain nothing."""

_MOST_SUBTREES = 4 * 3 ** (TOP - 1)


class Subtrees:
    """What is known about one board's subtrees, from one threshold to the next.

    Attributes
    ----------
    table, order, place : int64 arrays
        See `tilework.core.solver.kernels.depth_first.subtrees`.
    ordered : bool
        Whether this threshold is searched subtree by subtree.

    Notes
    -----
    Subtrees are taken in the order of their nodes under the threshold before, times the root of
    what these have grown by since the one before that.
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

    @property
    def arrays(self) -> tuple[Words, ...]:
        """What a kernel changes, in the order in which it takes them."""
        return self.table, self.order, self.place

    def begin(self, engine: str, threshold: int) -> None:
        """Start a threshold with the named engine."""
        # The paths of the top are under every higher threshold of the same engine.
        if engine != self._engine or threshold <= self._threshold or self.place[CUT] > 0:
            self._forget()
        self._engine, self._threshold = engine, threshold
        if self.ordered:
            self._put_in_order()
        elif self._nodes >= ENOUGH_NODES and threshold > TOP:
            self.table = np.empty((_MOST_SUBTREES, COLUMNS), dtype=np.int64)
            self.order = np.empty(_MOST_SUBTREES, dtype=np.int64)
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
        before = now if self._before is None else self._before
        # A subtree whose root was over the threshold before the last has no known growth.
        promise = now * np.sqrt(now / np.maximum(before, 1))
        self.order[:known] = np.argsort(-promise, kind="stable")
        nodes[:] = 0
        self.place[:] = 0
        self.place[KNOWN] = self.place[ORDERED] = known
        self._before = now
