"""The order in which workers search the subtrees of a long threshold.

Much lower thresholds, whose search is quick, give an order that is nearly as good as that of the
previous threshold. They also show which of a puzzle's two trees is smaller.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tilework.core.solver.kernels.constants import EXHAUSTED, GENERATED, NEXT_THRESHOLD
from tilework.core.solver.optimal.cursor import Cursor, difference
from tilework.core.solver.optimal.slice import Tree, Walk, confirm, read_next_threshold
from tilework.core.solver.optimal.subtrees import (
    COMPARISON_NODES,
    SubtreeWalk,
    get_root_depth,
    search_up_to,
)
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.strategy import MIN_ORDERED_NODES, PROVABLE_CELLS
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit

# Below this share of the minimum nodes, a low threshold is enough to decide
_CLEARLY_SHORT_SHARE = 0.25
ORDERING_NODES = 2_000_000  # the first threshold with this many nodes determines the order
# A threshold is divided into units of about half a second if there are not too many
_UNIT_NODES = 25_000_000
_MAX_DIVIDED_UNITS = 64
MAX_POSITIONS = 600  # of a work unit; writing and reading them takes about 10 ms for each slice
_MARGIN = 4  # in moves, between the threshold and the highest one that is used to order the tree
_GROWTH = 8.0  # of the number of nodes from one threshold to the next
_NO_LIMIT = 1 << 62


def order_tree(
    tree: Tree,
    make_other: Callable[[], Tree | None],
    threshold: int,
    *,
    workers: int = 1,
    cancelled: Callable[[], bool],
) -> SliceOutcome | None:
    """Order the tree of a threshold; all lower thresholds must be exhausted.

    Return work units with the most promising positions first: for a short threshold, each is about
    as much as a worker searches at once; for a longer one, they are a few units with positions of
    all ranks, which keep their order when they are split. Only the nodes above the positions are
    searched. Return None if ordering is not worthwhile for this threshold, or if cancelled.
    ``make_other`` returns the tree from the puzzle's other end, if there is one; the smaller tree
    is used.
    """
    cells, highest = tree.end.size.cells, threshold - _MARGIN
    if cells > PROVABLE_CELLS or not get_root_depth(cells) < tree.start.estimate <= highest:
        return None
    min_nodes = MIN_ORDERED_NODES * max(1, workers)
    count = _TreeCount(tree, threshold, cancelled)
    count.search_until(COMPARISON_NODES, highest)
    if count.estimate_nodes(threshold) < _CLEARLY_SHORT_SHARE * min_nodes:
        return None
    smaller = (
        _count_smaller(make_other, count, threshold, cancelled) if cells > A_STAR_CELLS else None
    )
    count = smaller or count
    count.search_until(ORDERING_NODES, highest)
    if cancelled() or (smaller is None and count.estimate_nodes(threshold) < min_nodes):
        return None
    if count.nodes == 0:
        # There are no counts to sort by.
        whole_tree = (WorkUnit(count.tree.root.to_bytes(), 1.0),)
        return SliceOutcome(0, None, None, whole_tree, count.tree.engine.name)
    units = math.ceil(count.estimate_nodes(threshold) / _UNIT_NODES)
    count.walk.begin_threshold(threshold)
    cursors = (
        count.walk.divide(units, MAX_POSITIONS)
        if units <= _MAX_DIVIDED_UNITS
        else _split_into_units(count.walk.cursor())
    )
    return _make_outcome(count.tree, threshold, cursors)


class _TreeCount:
    """The subtrees of a tree and the number of nodes of the last exhausted threshold."""

    def __init__(self, tree: Tree, threshold: int, cancelled: Callable[[], bool]) -> None:
        self.tree = tree
        top = get_root_depth(tree.end.size.cells)
        self.walk = SubtreeWalk(tree.engine, tree.start, tree.start.estimate, top, threshold)
        self.nodes = 0
        self._cancelled = cancelled
        self._next_threshold = self.walk.threshold

    def search_until(self, min_nodes: int, highest: int, max_nodes: int = _NO_LIMIT) -> bool:
        """Search thresholds until one has ``min_nodes``; return False if stopped earlier."""
        while self.nodes < min_nodes and self._next_threshold <= highest:
            self.walk.begin_threshold(self._next_threshold)
            nodes, is_exhausted = search_up_to(
                self.walk, self._next_threshold, max_nodes, self._cancelled
            )
            max_nodes -= nodes
            if not is_exhausted:
                return False
            self.nodes, self._next_threshold = nodes, int(self.walk.report[NEXT_THRESHOLD])
        return True

    def estimate_nodes(self, threshold: int) -> float:
        """Return the expected number of nodes of a threshold."""
        return self.nodes * float(_GROWTH ** ((threshold - self.walk.threshold) / 2))


def _count_smaller(
    make_other: Callable[[], Tree | None],
    count: _TreeCount,
    threshold: int,
    cancelled: Callable[[], bool],
) -> _TreeCount | None:
    """Return the count of the other tree if it has fewer nodes."""
    tree = make_other()
    if tree is None or tree.start.estimate <= get_root_depth(tree.end.size.cells):
        return None
    smaller = _TreeCount(tree, threshold, cancelled)
    return smaller if smaller.search_until(_NO_LIMIT, count.walk.threshold, count.nodes) else None


def _make_outcome(tree: Tree, threshold: int, cursors: list[Cursor]) -> SliceOutcome | None:
    """Search the nodes above cursors; return None if there is a solution."""
    cursors = [Cursor(cursor.positions, tree.root.goal_blank) for cursor in cursors]
    upper_part = difference(tree.root, cursors, *tree.puzzle)
    if upper_part is None:
        raise ValueError("the subtrees overlap")
    walk = Walk(tree.engine, tree.start, threshold, upper_part.residual)
    if walk.search(tree.engine.chunk) != EXHAUSTED:
        return None
    confirm(tree.engine, tree.start, None)
    nodes = upper_part.inner_nodes + int(walk.report[GENERATED])
    units = tuple(WorkUnit(cursor.to_bytes(), cursor.share(tree.start.board)) for cursor in cursors)
    return SliceOutcome(nodes, read_next_threshold(walk), None, units, tree.engine.name)


def _split_into_units(cursor: Cursor) -> list[Cursor]:
    """Split a cursor until its parts are short enough; they keep its order."""
    halves = cursor.split() if len(cursor.positions) > MAX_POSITIONS else None
    if halves is None:
        return [cursor]
    return [part for half in halves for part in _split_into_units(half)]
