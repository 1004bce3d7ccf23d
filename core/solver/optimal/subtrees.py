"""In which order the subtrees of a tree are searched, threshold by threshold.

Under the last threshold the search ends where it meets a solution, so that the order decides how
much of the tree is searched, by one worker or by many. One thread takes the order of the threshold
before. For many, `order_tree` searches thresholds far below: that takes a moment, and the order
that they give is nearly as good. They also tell which of a puzzle's two trees is the smaller one.
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
    KNOWN,
    NEXT_THRESHOLD,
    NO_F,
)
from tilework.core.solver.kernels.constants import TOP as STACK_TOP
from tilework.core.solver.kernels.depth_first.search import stack_roots, weigh_subtrees
from tilework.core.solver.optimal.cursor import Cursor, Position, difference
from tilework.core.solver.optimal.engines import Engine, Stack, Start, untried_moves
from tilework.core.solver.optimal.slice import (
    Tree,
    Walk,
    confirm,
    least_over,
    path_found,
    stack_rows,
)
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.strategy import LEAST_ORDERED_NODES
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit

Words = NDArray[np.int64]
MOST_CELLS = 25  # of larger boards only those are proved whose tree is small

# By cells up to, moves of the paths to the subtrees: some hundred subtrees, or some thousand
_TOPS = {16: 7, MOST_CELLS: 10}
COMPARED_NODES = 100_000  # of the threshold after which the two trees of a puzzle are compared
# By cells up to, the highest threshold that there is room for at first, in whole words of a path
# (no 15-puzzle needs more than 80 moves). Where the room is too small, a tree is begun anew.
_ROOMS = {16: 95, MOST_CELLS: 127}


def top_of(cells: int) -> int:
    """Return the moves of the paths to the subtrees of boards of so many cells."""
    return _of_cells(_TOPS, cells)


def _of_cells(figures: dict[int, int], cells: int) -> int:
    return next(figure for most, figure in figures.items() if cells <= most)


class SubtreeWalk:
    """The search of a board's whole tree, threshold by threshold, best subtrees first.

    The top of the tree is searched once, without a threshold: estimates are not consistent, so
    that a subtree's root can be within a threshold while a node above it is not. ``report`` and
    ``path`` are as those of a `Walk`.
    """

    def __init__(
        self, engine: Engine, start: Start, threshold: int, top: int, room: int = 0
    ) -> None:
        self.engine = engine
        self.path: Moves | None = None
        self.threshold = 0
        self.most = max(threshold, room, _of_cells(_ROOMS, start.board.size.cells))
        width = engine.layout.width(self.most + 1)
        most = 4 * 3 ** (top - 1)
        whole = Stack.empty(stack_rows(most, self.most), width, most)
        self.report = whole.report
        whole.rows[0] = 0
        whole.rows[0, : start.row.size] = start.row
        self.report[STACK_TOP] = 1
        engine.search(NO_F, NO_F, whole, top)
        known = int(self.report[KNOWN])
        self._order = np.arange(known)
        self._before = np.full(known, -1)
        self._promise = np.empty(known)
        self._stack = whole._replace(
            roots=whole.roots[:known],
            estimates=whole.estimates[:known],
            nodes=np.zeros(known, dtype=np.int64),
        )
        self.begin(threshold)

    def begin(self, threshold: int) -> None:
        """Go on to a threshold; all lower ones were exhausted, or proved otherwise."""
        rows, roots, estimates, nodes, report = self._stack
        if threshold > self.threshold > 0:
            weigh_subtrees(nodes, self._before, self._promise)
            self._order = np.argsort(-self._promise, kind="stable")
        # What a limit ended is searched again.
        nodes[:] = 0
        self.threshold = threshold
        stack_roots(threshold, self._order, rows, roots, estimates, report)

    def search(self, budget: int) -> int:
        """Generate so many nodes at most; return how the kernel ended."""
        status = self.engine.search(self.threshold, budget, self._stack)
        if status == FOUND:
            self.path = path_found(self.engine, self._stack)
        return status

    @property
    def nodes(self) -> int:
        return int(self._stack.nodes.sum())

    def left(self) -> Cursor:
        """Return all subtrees as a value, in their order, also those over the threshold."""
        roots = self._stack.roots[self._order]
        positions = map(Position, self.engine.layout.paths(roots), untried_moves(roots))
        return Cursor(tuple(position for position in positions if position.moves))


def search_up_to(
    walk: SubtreeWalk, threshold: int, most: int, cancelled: Callable[[], bool]
) -> tuple[int, bool]:
    """Search the threshold of a walk, and those that follow it up to one."""
    nodes = 0
    while nodes < most and not cancelled():
        status = walk.search(min(walk.engine.chunk, most - nodes))
        nodes += int(walk.report[GENERATED])
        if status == FOUND:
            return nodes, False
        if status == EXHAUSTED:
            following = int(walk.report[NEXT_THRESHOLD])
            if following > threshold:
                return nodes, True
            walk.begin(following)
    return nodes, False


class Subtrees:
    """What is known about one board's subtrees, from one call of a search to the next."""

    def __init__(self) -> None:
        self.from_goal = False  # whether the puzzle's other tree is searched, from the goal
        self._compared = False
        self._walk: SubtreeWalk | None = None

    def compare(
        self,
        threshold: int,
        other: Callable[[], Tree | None],
        most: int,
        cancelled: Callable[[], bool],
    ) -> int:
        """Look once, before a threshold that will take long, which tree is the smaller one."""
        before = self._walk
        if self._compared or before is None or threshold <= before.threshold:
            return 0
        if before.nodes < COMPARED_NODES:
            return 0
        self._compared = True
        tree = other()
        if tree is None or tree.start.estimate <= (top := top_of(tree.end.size.cells)):
            return 0
        walk = SubtreeWalk(tree.engine, tree.start, tree.start.estimate, top, threshold)
        nodes, smaller = 0, tree.start.estimate > before.threshold
        if not smaller:
            most = min(most, before.nodes)
            nodes, smaller = search_up_to(walk, before.threshold, most, cancelled)
            self._compared = smaller or nodes >= before.nodes
        if smaller:
            self.from_goal, self._walk = True, walk
        return nodes

    def begin(self, engine: Engine, start: Start, threshold: int) -> SubtreeWalk | None:
        """Begin a threshold; None where it is too low for subtrees."""
        top = top_of(start.board.size.cells)
        if threshold <= top:
            return None
        walk = self._walk
        # Not by name: what another engine of the same one read may have been damaged meanwhile.
        if walk is None or walk.engine is not engine or threshold > walk.most:
            self._walk = SubtreeWalk(engine, start, threshold, top)
        else:
            walk.begin(threshold)
        return self._walk


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
        whole = (WorkUnit(count.tree.root.to_bytes(), 1.0),)
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
    pieces = tuple(WorkUnit(part.to_bytes(), part.share(tree.start.board)) for part in _parts(left))
    return SliceOutcome(nodes, least_over(walk), None, pieces, tree.engine.name)


def _parts(cursor: Cursor) -> list[Cursor]:
    """Halve a cursor until its parts are short enough; both halves keep its order."""
    halves = cursor.split() if len(cursor.positions) > MOST_POSITIONS else None
    return [cursor] if halves is None else [part for half in halves for part in _parts(half)]
