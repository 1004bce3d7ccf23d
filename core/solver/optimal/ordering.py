"""The tree of a long threshold in order: the subtrees that a solution is likely in first.

Under the last threshold the search ends where it meets a solution, so that the order decides how
much of the tree is searched, by one worker or by many. The order is that of
`tilework.core.solver.optimal.subtrees`, by thresholds far below: they are searched in a moment, and
the order that they give is nearly as good as that of the threshold before. They also tell which of
a puzzle's two trees is the smaller one.
"""

from __future__ import annotations

from collections.abc import Callable

from tilework.core.solver.kernels.constants import EXHAUSTED, GENERATED, NEXT_THRESHOLD
from tilework.core.solver.optimal.cursor import Cursor, difference
from tilework.core.solver.optimal.slice import Tree, Walk, confirm, least_over
from tilework.core.solver.optimal.subtrees import (
    COMPARED_NODES,
    MOST_CELLS,
    SubtreeWalk,
    search_up_to,
    top_of,
)
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.strategy import LEAST_ORDERED_NODES
from tilework.core.solver.work_unit import Piece, SliceOutcome

# Of the nodes of a threshold worth it: fewer, judged by a low threshold, are too few
_SURELY_SHORT = 0.25
COUNTED_NODES = 2_000_000  # the order is that of the first threshold with so many nodes

# Of a piece: it is written and read with each slice, which takes some hundredths of a second
MOST_POSITIONS = 600

# Moves that the thresholds of the order stay below: more would take a good part of the search
_BELOW = 4
_GROWTH = 8.0  # of the nodes from one threshold to the next
_NO_LIMIT = 1 << 62


def order_tree(
    tree: Tree,
    other: Callable[[], Tree | None],
    threshold: int,
    *,
    workers: int = 1,
    cancelled: Callable[[], bool],
) -> SliceOutcome | None:
    """Put the whole tree of a threshold in order, all lower ones of which hold no solution.

    What remains are a few pieces, each in order, as are the halves that it is split in; only the
    nodes above them were searched. None where the threshold of the first tree is too short to be
    worth it, or that was cancelled. ``other`` makes the tree from the puzzle's other end, if there
    is one; it is taken if it is smaller.
    """
    cells, highest = tree.end.size.cells, threshold - _BELOW
    if cells > MOST_CELLS or not top_of(cells) < tree.start.estimate <= highest:
        return None
    least = LEAST_ORDERED_NODES * max(1, workers)
    count = _Count(tree, threshold, cancelled)
    count.go_on(COMPARED_NODES, highest)
    if count.expected(threshold) < _SURELY_SHORT * least:
        return None
    smaller = _smaller(other, count, threshold, cancelled) if cells > A_STAR_CELLS else None
    count = smaller or count
    count.go_on(COUNTED_NODES, highest)
    if cancelled() or (smaller is None and count.expected(threshold) < least):
        return None
    if count.nodes == 0:
        # There is nothing to order by.
        whole = (Piece(count.tree.root.to_bytes(), 1.0),)
        return SliceOutcome(0, None, None, whole, count.tree.engine.name)
    count.walk.begin(threshold)
    return _outcome(count.tree, threshold, count.walk.left())


class _Count:
    """The subtrees of a tree, and the nodes of the last threshold that was exhausted."""

    def __init__(self, tree: Tree, threshold: int, cancelled: Callable[[], bool]) -> None:
        self.tree = tree
        top = top_of(tree.end.size.cells)
        self.walk = SubtreeWalk(tree.engine, tree.start, tree.start.estimate, top, threshold)
        self.nodes = 0
        self._cancelled = cancelled
        self._following = self.walk.threshold

    def go_on(self, enough: int, highest: int, most: int = _NO_LIMIT) -> bool:
        """Search thresholds until one has enough nodes; return whether one had."""
        while self.nodes < enough and self._following <= highest:
            self.walk.begin(self._following)
            nodes, ended = search_up_to(self.walk, self._following, most, self._cancelled)
            most -= nodes
            if not ended:
                return False
            self.nodes, self._following = nodes, int(self.walk.report[NEXT_THRESHOLD])
        return True

    def expected(self, threshold: int) -> float:
        """Nodes that are likely under a threshold."""
        return self.nodes * float(_GROWTH ** ((threshold - self.walk.threshold) / 2))


def _smaller(
    other: Callable[[], Tree | None], count: _Count, threshold: int, cancelled: Callable[[], bool]
) -> _Count | None:
    """Return the count of another tree if it has fewer nodes under the threshold counted."""
    tree = other()
    if tree is None or tree.start.estimate <= top_of(tree.end.size.cells):
        return None
    found = _Count(tree, threshold, cancelled)
    return found if found.go_on(_NO_LIMIT, count.walk.threshold, count.nodes) else None


def _outcome(tree: Tree, threshold: int, left: Cursor) -> SliceOutcome | None:
    """Search what lies above a cursor, some thousand nodes; None if that holds a solution."""
    left = Cursor(left.positions, tree.root.goal_blank)
    above = difference(tree.root, [left])
    if above is None:
        raise ValueError("the subtrees overlap")
    walk = Walk(tree.engine, tree.start, threshold, above.residual)
    if walk.search(tree.engine.chunk) != EXHAUSTED:
        return None
    confirm(tree.engine, tree.start, None)
    nodes = above.passed + int(walk.report[GENERATED])
    pieces = tuple(Piece(part.to_bytes(), part.share(tree.start.board)) for part in _parts(left))
    return SliceOutcome(nodes, least_over(walk), None, pieces, tree.engine.name)


def _parts(cursor: Cursor) -> list[Cursor]:
    """Halve a cursor until its parts are short enough; both halves keep its order."""
    halves = cursor.split() if len(cursor.positions) > MOST_POSITIONS else None
    return [cursor] if halves is None else [part for half in halves for part in _parts(half)]
