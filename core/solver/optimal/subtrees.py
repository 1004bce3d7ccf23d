"""The order in which the subtrees of a tree are searched, by one process and by workers.

The search of the last threshold ends at a solution, so the order of the subtrees determines how
much of the tree is searched. In one process, they are ordered by their nodes under the previous
threshold, and by how fast these grew. For workers, much lower thresholds, whose search is quick,
give an order that is nearly as good. They also show which of a puzzle's two trees is smaller.
"""

from __future__ import annotations

import math
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits, search_clock, searching_on_threads
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
from tilework.core.solver.optimal.cursor import BRANCHING, Cursor, Position, difference
from tilework.core.solver.optimal.engines import Engine, Rows, Stack, Start, read_untried_moves
from tilework.core.solver.optimal.slice import (
    Tree,
    Walk,
    confirm,
    count_stack_rows,
    read_next_threshold,
    read_path,
)
from tilework.core.solver.result import SliceOutcome, WorkUnit
from tilework.core.solver.strategy import A_STAR_CELLS, MIN_ORDERED_NODES, PROVABLE_CELLS

Outcome = TypeVar("Outcome")
_TICK_S = 0.05  # interval between checks for cancellation


def run_in_order(
    tasks: Sequence[Callable[[Callable[[], bool]], Outcome]],
    threads: int,
    limits: Limits,
    tick: Callable[[], object],
    is_final: Callable[[Outcome], bool],
) -> list[Outcome | None]:
    """Run tasks on threads; the outcomes, in the order of the tasks, do not depend on timing.

    Parameters
    ----------
    tasks : sequence of callables; each is given a function that tells whether to stop
    limits : Limits; only time and cancellation
    tick : callable; called several times a second
    is_final : callable; called with each outcome as it arrives; if true, later tasks end

    Returns
    -------
    list; the outcomes up to the first final one, None for tasks that did not start in time. All
        tasks before the final one are completed, so the final one is always the same.
    """
    deadline = math.inf if limits.seconds is None else search_clock() + limits.seconds
    stopping = threading.Event()
    last = len(tasks) - 1

    def attempt(index: int) -> Outcome | None:
        def is_over() -> bool:
            return stopping.is_set() or index > last or search_clock() >= deadline

        return None if is_over() else tasks[index](is_over)

    outcomes: dict[int, Outcome | None] = {}
    pool = ThreadPoolExecutor(threads, thread_name_prefix="search")
    try:
        indices = {pool.submit(attempt, index): index for index in range(len(tasks))}
        pending = set(indices)
        with searching_on_threads():
            while pending:
                completed, pending = wait(pending, _TICK_S, FIRST_COMPLETED)
                for future in completed:
                    index = indices[future]
                    outcomes[index] = outcome = future.result()
                    if outcome is not None and is_final(outcome):
                        last = min(last, index)
                tick()
                if limits.cancelled():
                    stopping.set()
    finally:
        stopping.set()
        pool.shutdown(cancel_futures=True)
    return [outcomes[index] for index in range(last + 1)]


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

        def search_part(number: int, is_over: Callable[[], bool]) -> tuple[int, Stack]:
            stack = self._stack_part(parts[number])
            while True:
                status = self.engine.search(self.threshold, _PART_CHUNK, stack)
                counts[number] += stack.report[[GENERATED, EXPANDED]]
                has_too_many = generated[: number + 1].sum() > max_nodes
                if status != OUT_OF_BUDGET or has_too_many or is_over():
                    return status, stack

        outcomes = run_in_order(
            [partial(search_part, number) for number in range(len(parts))],
            threads,
            limits,
            lambda: tick(int(generated.sum())),
            lambda outcome: outcome[0] == FOUND,
        )
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
