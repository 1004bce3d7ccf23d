"""The order in which one thread searches the subtrees of a tree, threshold by threshold.

The search of the last threshold ends at a solution, so the order of the subtrees determines how
much of the tree is searched. They are ordered by their nodes under the previous threshold, and by
how fast these grew.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.moves import Moves
from tilework.core.search.deterministic_pool import DeterministicPool
from tilework.core.search.limits import Limits
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    NO_F,
    OUT_OF_BUDGET,
    SUBTREE_COUNT,
)
from tilework.core.solver.kernels.constants import TOP as STACK_TOP
from tilework.core.solver.kernels.depth_first.search import (
    FIELDS,
    SUBTREE_BIT,
    rate_subtrees,
    stack_roots,
)
from tilework.core.solver.optimal.cursor import BRANCHING, Cursor, Position
from tilework.core.solver.optimal.engines import Engine, Rows, Stack, Start, read_untried_moves
from tilework.core.solver.optimal.slice import (
    Tree,
    count_stack_rows,
    read_path,
)
from tilework.core.solver.options import A_STAR_CELLS

Words = NDArray[np.int64]
# A puzzle's two trees are compared after the first threshold with this many nodes
COMPARISON_NODES = 100_000
# The highest thresholds whose paths initially fit into the rows, in whole words, up to 16 cells (no
# 15-puzzle needs more than 80 moves) and above. The tree is set up again for a higher threshold.
_MAX_THRESHOLDS = 95, 127
_PARTS_PER_THREAD = 32  # of the rest of a threshold
_PART_CHUNK = 100_000  # nodes to generate between two checks whether a part is still needed


def get_root_depth(cells: int) -> int:
    """Return the depth of the subtrees' roots, for hundreds or thousands of subtrees."""
    return 7 if cells <= A_STAR_CELLS else 10


class SubtreeWalk:
    """A search of a whole tree, threshold by threshold, starting with the most promising subtrees.

    The top of the tree is searched once, without a threshold: estimates are not consistent, so a
    subtree's root can be within a threshold even if a node above it is not. Without a top, the tree
    is one subtree. ``report`` and ``path`` are those of a `Walk`.
    """

    def __init__(
        self, engine: Engine, start: Start, threshold: int, top: int, later_threshold: int = 0
    ) -> None:
        self.engine = engine
        self.path: Moves | None = None
        self.threshold = 0
        minimum = _MAX_THRESHOLDS[start.board.size.cells > A_STAR_CELLS]
        self.max_threshold = max(threshold, later_threshold, minimum)
        width = engine.layout.width(self.max_threshold + 1)
        max_roots = 4 * 3 ** (top - 1) if top else 1
        stack = Stack.empty(count_stack_rows(max_roots, self.max_threshold), width, max_roots)
        self.report = stack.report
        root = stack.rows if top else stack.roots
        root[0] = 0
        root[0, : start.row.size] = start.row
        if top:
            self.report[STACK_TOP] = 1
            engine.search(NO_F, NO_F, stack, top)
        else:
            self.report[SUBTREE_COUNT] = 1
            stack.estimates[0] = start.estimate
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
        if threshold == self.threshold and report[STACK_TOP] > 0 and self.path is None:
            return  # it was interrupted by a limit
        if threshold > self.threshold > 0:
            rate_subtrees(nodes, self._previous_nodes, self._promise)
            self._order = np.argsort(-self._promise, kind="stable")
        nodes[:] = 0
        self.threshold = threshold
        stack_roots(threshold, self._order, rows, roots, estimates, report)

    def search(self, budget: int) -> int:
        """Generate at most ``budget`` nodes; return the kernel's status."""
        status = self.engine.search(self.threshold, budget, self._stack)
        if status == FOUND:
            self.path = read_path(self.engine, self._stack)
        return status

    def search_on_threads(self, threads: int, limits: Limits, tick: Callable[[int], object]) -> int:
        """Search all nodes on the stack on several threads; return the kernel's status.

        Threads take the parts of the stack in order, so they search what one thread would search
        next. A solution is accepted once all earlier parts are exhausted, so the result is
        reproducible. ``report`` has the statistics of the parts up to there. If a limit is reached,
        the other parts remain on the stack. ``tick`` is called with the nodes generated so far.
        """
        parts = self._divide_stack(_PARTS_PER_THREAD * threads)
        counts = np.zeros((len(parts), 2), dtype=np.int64)
        generated = counts[:, 0]
        max_nodes = sys.maxsize if limits.nodes is None else limits.nodes

        def search_part(number: int, part_limits: Limits) -> tuple[int, Stack]:
            stack = self._stack_part(parts[number])
            while True:
                status = self.engine.search(self.threshold, _PART_CHUNK, stack)
                counts[number] += stack.report[[GENERATED, EXPANDED]]
                is_over = generated[: number + 1].sum() > max_nodes
                if status != OUT_OF_BUDGET or is_over or part_limits.cancelled():
                    return status, stack

        tasks = [partial(search_part, number) for number in range(len(parts))]
        with DeterministicPool(threads, limits, lambda: tick(int(generated.sum()))) as pool:
            outcomes = pool.run(tasks, None, lambda outcome: outcome[0] == FOUND)
        report, status = self.report, EXHAUSTED
        report[[GENERATED, EXPANDED]] = 0
        for outcome, part, part_counts in zip(outcomes, parts, counts, strict=False):
            status, stack = outcome or (OUT_OF_BUDGET, None)
            if report[GENERATED] + part_counts[0] > max_nodes:
                report[GENERATED], status = max_nodes, OUT_OF_BUDGET
            if stack is None or status == OUT_OF_BUDGET:
                break
            self._stack.nodes[:] += stack.nodes
            report[[GENERATED, EXPANDED]] += part_counts
            report[NEXT_THRESHOLD] = min(report[NEXT_THRESHOLD], stack.report[NEXT_THRESHOLD])
            report[STACK_TOP] -= len(part)
            if status == FOUND:
                self.path = read_path(self.engine, stack)
                break
        return status

    def _divide_stack(self, count: int) -> list[Rows]:
        """Divide the nodes on the stack, the next one first, into about equal parts."""
        rows = self._stack.rows[: self.report[STACK_TOP]][::-1]
        subtrees = rows[:, FIELDS] >> np.uint64(SUBTREE_BIT)
        previous_nodes = np.maximum(self._previous_nodes[subtrees], 1)
        depths = self.engine.layout.depths(rows)
        nodes = np.cumsum(previous_nodes * BRANCHING ** (depths.min() - depths))
        parts = (count * nodes / nodes[-1]).astype(np.int64)
        return np.split(rows, np.flatnonzero(np.diff(parts)) + 1)

    def _stack_part(self, part: Rows) -> Stack:
        rows = count_stack_rows(len(part), self.max_threshold)
        stack = Stack.empty(rows, part.shape[1], self._stack.nodes.size)
        stack.rows[: len(part)] = part[::-1]
        stack.report[STACK_TOP] = len(part)
        stack.report[NEXT_THRESHOLD] = NO_F
        return stack

    @property
    def nodes(self) -> int:
        return int(self._stack.nodes.sum())

    def cursor(self) -> Cursor:
        """Return all subtrees in order, including those above the threshold."""
        return Cursor(tuple(position for position in self._positions() if position.moves))

    def divide(self, parts: int, max_positions: int) -> list[Cursor]:
        """Divide all subtrees, in order, into parts with equal nodes of the previous threshold."""
        nodes = np.cumsum(np.maximum(self._previous_nodes[self._order], 0))
        part_numbers = (parts * (nodes - 1) // max(1, int(nodes[-1]))).tolist()
        groups: defaultdict[tuple[int, int], list[Position]] = defaultdict(list)
        positions = enumerate(zip(part_numbers, self._positions(), strict=True))
        for index, (part, position) in positions:
            if position.moves:
                groups[part, index // max_positions].append(position)
        return [Cursor(tuple(group)) for group in groups.values()]

    def _positions(self) -> Iterator[Position]:
        roots = self._stack.roots[self._order]
        return map(Position, self.engine.layout.paths(roots), read_untried_moves(roots))


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

    def begin_threshold(self, engine: Engine, start: Start, threshold: int) -> SubtreeWalk:
        """Start a threshold; a tree that is too low for subtrees is searched as a whole."""
        top = get_root_depth(start.board.size.cells)
        if threshold <= top:
            return SubtreeWalk(engine, start, threshold, 0)
        walk = self._walk
        # Engines are compared by identity, because tables with the same name may have been damaged.
        if walk is None or walk.engine is not engine or threshold > walk.max_threshold:
            walk = self._walk = SubtreeWalk(engine, start, threshold, top)
        else:
            walk.begin_threshold(threshold)
        return walk
