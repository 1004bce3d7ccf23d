"""The order in which the subtrees of a tree are searched, threshold by threshold.

The search of the last threshold ends at a solution, so the order of the subtrees determines how
much of the tree is searched. A single thread orders them by the node counts of the previous
threshold. For several workers, `order_tree` uses much lower thresholds, whose search is quick and
gives an order that is nearly as good. It also shows which of a puzzle's two trees is smaller.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.moves import Moves
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    NO_F,
    SUBTREE_COUNT,
)
from tilework.core.solver.kernels.constants import TOP as STACK_TOP
from tilework.core.solver.kernels.depth_first.search import rate_subtrees, stack_roots
from tilework.core.solver.optimal.cursor import Cursor, Position, difference
from tilework.core.solver.optimal.engines import Engine, Stack, Start, read_untried_moves
from tilework.core.solver.optimal.slice import (
    Tree,
    Walk,
    confirm,
    count_stack_rows,
    read_next_threshold,
    read_path,
)
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.strategy import MIN_ORDERED_NODES
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit

Words = NDArray[np.int64]
MAX_CELLS = 25  # larger boards can only be solved optimally if their tree is small

# Depth of the subtrees' roots by maximum number of cells, for hundreds or thousands of subtrees
_DEPTHS = {16: 7, MAX_CELLS: 10}
# A puzzle's two trees are compared after the first threshold with this many nodes
COMPARISON_NODES = 100_000
# The highest threshold whose paths initially fit into the rows, in whole words, by maximum number
# of cells (no 15-puzzle needs more than 80 moves). The tree is set up again for a higher threshold.
_INITIAL_MAX_THRESHOLDS = {16: 95, MAX_CELLS: 127}


def get_root_depth(cells: int) -> int:
    """Return the depth of the subtrees' roots for boards of this many cells."""
    return _look_up_by_cells(_DEPTHS, cells)


def _look_up_by_cells(values: dict[int, int], cells: int) -> int:
    return next(value for max_cells, value in values.items() if cells <= max_cells)


class SubtreeWalk:
    """A search of a whole tree, threshold by threshold, starting with the most promising subtrees.

    The top of the tree is searched once, without a threshold: estimates are not consistent, so a
    subtree's root can be within a threshold even if a node above it is not. ``report`` and ``path``
    are those of a `Walk`.
    """

    def __init__(
        self, engine: Engine, start: Start, threshold: int, top: int, later_threshold: int = 0
    ) -> None:
        self.engine = engine
        self.path: Moves | None = None
        self.threshold = 0
        self.max_threshold = max(
            threshold,
            later_threshold,
            _look_up_by_cells(_INITIAL_MAX_THRESHOLDS, start.board.size.cells),
        )
        width = engine.layout.width(self.max_threshold + 1)
        max_roots = 4 * 3 ** (top - 1)
        stack = Stack.empty(count_stack_rows(max_roots, self.max_threshold), width, max_roots)
        self.report = stack.report
        stack.rows[0] = 0
        stack.rows[0, : start.row.size] = start.row
        self.report[STACK_TOP] = 1
        engine.search(NO_F, NO_F, stack, top)
        count = int(self.report[SUBTREE_COUNT])
        self._order = np.arange(count)
        self._previous_nodes = np.full(count, -1)
        self._promise = np.empty(count)
        self._stack = stack._replace(
            roots=stack.roots[:count],
            estimates=stack.estimates[:count],
            nodes=np.zeros(count, dtype=np.int64),
        )
        self.begin_threshold(threshold)

    def begin_threshold(self, threshold: int) -> None:
        """Start a threshold; all lower ones must have been exhausted or otherwise disproved."""
        rows, roots, estimates, nodes, report = self._stack
        if threshold > self.threshold > 0:
            rate_subtrees(nodes, self._previous_nodes, self._promise)
            self._order = np.argsort(-self._promise, kind="stable")
        # A threshold that was interrupted by a limit is searched again.
        nodes[:] = 0
        self.threshold = threshold
        stack_roots(threshold, self._order, rows, roots, estimates, report)

    def search(self, budget: int) -> int:
        """Generate at most ``budget`` nodes; return the kernel's status."""
        status = self.engine.search(self.threshold, budget, self._stack)
        if status == FOUND:
            self.path = read_path(self.engine, self._stack)
        return status

    @property
    def nodes(self) -> int:
        return int(self._stack.nodes.sum())

    def cursor(self) -> Cursor:
        """Return all subtrees in order, including those above the threshold."""
        roots = self._stack.roots[self._order]
        positions = map(Position, self.engine.layout.paths(roots), read_untried_moves(roots))
        return Cursor(tuple(position for position in positions if position.moves))


def search_up_to(
    walk: SubtreeWalk, threshold: int, max_nodes: int, cancelled: Callable[[], bool]
) -> tuple[int, bool]:
    """Search up to a threshold; return the nodes and whether all thresholds were exhausted."""
    nodes = 0
    while nodes < max_nodes and not cancelled():
        status = walk.search(min(walk.engine.chunk, max_nodes - nodes))
        nodes += int(walk.report[GENERATED])
        if status == FOUND:
            return nodes, False
        if status == EXHAUSTED:
            next_threshold = int(walk.report[NEXT_THRESHOLD])
            if next_threshold > threshold:
                return nodes, True
            walk.begin_threshold(next_threshold)
    return nodes, False


class Subtrees:
    """The subtrees of a board, kept between calls of `ida_star`."""

    def __init__(self) -> None:
        self.from_goal = False  # whether the tree from the goal is searched
        self._compared = False
        self._walk: SubtreeWalk | None = None

    def compare_trees(
        self,
        threshold: int,
        make_other: Callable[[], Tree | None],
        max_nodes: int,
        cancelled: Callable[[], bool],
    ) -> int:
        """Compare the two trees once, before a long threshold; return the nodes generated."""
        current = self._walk
        if self._compared or current is None or threshold <= current.threshold:
            return 0
        if current.nodes < COMPARISON_NODES:
            return 0
        self._compared = True
        tree = make_other()
        if tree is None or tree.start.estimate <= (top := get_root_depth(tree.end.size.cells)):
            return 0
        walk = SubtreeWalk(tree.engine, tree.start, tree.start.estimate, top, threshold)
        nodes, is_smaller = 0, tree.start.estimate > current.threshold
        if not is_smaller:
            max_nodes = min(max_nodes, current.nodes)
            nodes, is_smaller = search_up_to(walk, current.threshold, max_nodes, cancelled)
            self._compared = is_smaller or nodes >= current.nodes
        if is_smaller:
            self.from_goal, self._walk = True, walk
        return nodes

    def begin_threshold(self, engine: Engine, start: Start, threshold: int) -> SubtreeWalk | None:
        """Start a threshold; return None if it is too low for subtrees."""
        top = get_root_depth(start.board.size.cells)
        if threshold <= top:
            return None
        walk = self._walk
        # Engines are compared by identity, because tables with the same name may have been damaged.
        if walk is None or walk.engine is not engine or threshold > walk.max_threshold:
            self._walk = SubtreeWalk(engine, start, threshold, top)
        else:
            walk.begin_threshold(threshold)
        return self._walk


# Below this share of the minimum nodes, a low threshold is enough to decide
_CLEARLY_SHORT_SHARE = 0.25
ORDERING_NODES = 2_000_000  # the first threshold with this many nodes determines the order
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

    Return a few work units with the most promising positions first, even after they are split. Only
    the nodes above the positions are searched. Return None if ordering is not worthwhile for this
    threshold, or if cancelled. ``make_other`` returns the tree from the puzzle's other end, if
    there is one; the smaller tree is used.
    """
    cells, highest = tree.end.size.cells, threshold - _MARGIN
    if cells > MAX_CELLS or not get_root_depth(cells) < tree.start.estimate <= highest:
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
    count.walk.begin_threshold(threshold)
    return _make_outcome(count.tree, threshold, count.walk.cursor())


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


def _make_outcome(tree: Tree, threshold: int, cursor: Cursor) -> SliceOutcome | None:
    """Search the nodes above a cursor; return None if there is a solution."""
    cursor = Cursor(cursor.positions, tree.root.goal_blank)
    upper_part = difference(tree.root, [cursor])
    if upper_part is None:
        raise ValueError("the subtrees overlap")
    walk = Walk(tree.engine, tree.start, threshold, upper_part.residual)
    if walk.search(tree.engine.chunk) != EXHAUSTED:
        return None
    confirm(tree.engine, tree.start, None)
    nodes = upper_part.inner_nodes + int(walk.report[GENERATED])
    units = tuple(
        WorkUnit(part.to_bytes(), part.share(tree.start.board))
        for part in _split_into_units(cursor)
    )
    return SliceOutcome(nodes, read_next_threshold(walk), None, units, tree.engine.name)


def _split_into_units(cursor: Cursor) -> list[Cursor]:
    """Split a cursor until its parts are short enough; they keep its order."""
    halves = cursor.split() if len(cursor.positions) > MAX_POSITIONS else None
    if halves is None:
        return [cursor]
    return [part for half in halves for part in _split_into_units(half)]
