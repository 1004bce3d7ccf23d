"""In which order the subtrees of a board are searched, threshold by threshold."""

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
from tilework.core.solver.optimal.cursor import Cursor, Position
from tilework.core.solver.optimal.engines import Engine, Stack, Start, untried_moves
from tilework.core.solver.optimal.slice import Tree, path_found, stack_rows

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
