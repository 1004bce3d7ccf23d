"""IDA*: depth-first searches with increasing thresholds, in one process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import UnsolvableError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.search.deterministic_pool import DeterministicPool
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    NO_F,
    OUT_OF_BUDGET,
)
from tilework.core.solver.optimal.choice import (
    find_better_engine,
    find_missing_partition,
    select_engine,
)
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine, Start
from tilework.core.solver.optimal.ordering import order_tree
from tilework.core.solver.optimal.slice import Tree, Walk, confirm, tree_from_board, tree_from_goal
from tilework.core.solver.optimal.subtrees import MAX_CELLS, Subtrees, SubtreeWalk
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.result import Progress, ProgressListener, SearchResult
from tilework.core.solver.target import Algorithm, Heuristic

_PROGRESS_INTERVAL_S = 0.2


def ida_star(
    board: Board,
    goal: Board,
    limits: Limits | None = None,
    pdb_folder: Path | None = None,
    progress: ProgressListener | None = None,
    *,
    known_bound: int = 0,
    upper_bound: int | None = None,
    heuristic: Heuristic = Heuristic.AUTO,
    subtrees: Subtrees | None = None,
    threads: int = 1,
) -> SearchResult:
    """Find a shortest solution.

    Parameters
    ----------
    limits : Limits, optional; memory is not limited
    pdb_folder : Path, optional; by default the user's cache folder. On boards of over 16 cells,
        better pattern databases are used as soon as they have been built there.
    known_bound : int
        A proven lower bound with the parity of the solutions, which is the first threshold.
    upper_bound : int, optional
        Only look for shorter solutions. If this is the length of a known solution, the last
        threshold, which has most of the nodes, need not be searched.
    heuristic : Heuristic; one of `heuristics_for` the goal, or ``AUTO`` for the best of them
    subtrees : Subtrees, optional; the state of earlier calls with the same board and goal, which is
        updated. With it, one call per threshold is as fast as a single call.
    threads : int; used for boards of more than 16 cells. The result depends only on their number.

    Returns
    -------
    SearchResult; the lower bound is the current threshold, because all lower ones were exhausted.
        If it equals the upper bound, there are no moves, and ``stopped_by`` is None.

    Notes
    -----
    R. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
    Intelligence 27 (1985).
    """
    limits = limits or Limits()
    subtrees = subtrees or Subtrees()
    started = search_clock()
    tree = tree_from_board(board, goal, select_engine(goal, pdb_folder, heuristic))
    threshold = max(known_bound, tree.start.estimate)
    generated = expanded = 0
    reported = started

    def result(moves: Moves | None, stopped_by: StopReason | None) -> SearchResult:
        confirm(tree.engine, tree.start, moves)
        solution = None if moves is None else tree.root.solution(moves)
        seconds = search_clock() - started
        statistics = Statistics(expanded, generated, seconds)
        return SearchResult(
            threshold,
            solution,
            Algorithm.IDA_STAR,
            statistics,
            stopped_by,
            engine=tree.engine.name,
        )

    def cancelled() -> bool:
        return limits.check(search_clock() - started, generated) is not None

    def make_other_tree() -> Tree | None:
        return tree_from_goal(board, goal, tree.engine, pdb_folder)

    def start_threshold() -> Walk | SubtreeWalk:
        """Start a threshold, in the smaller tree once it is known."""
        nonlocal tree, generated
        if is_ordered:
            if goal.size.cells > A_STAR_CELLS:
                max_nodes = NO_F if limits.nodes is None else limits.nodes - generated
                generated += subtrees.compare_trees(
                    threshold, make_other_tree, max_nodes, cancelled
                )
            if (
                subtrees.from_goal
                and not tree.from_goal
                and (other := make_other_tree()) is not None
            ):
                confirm(tree.engine, tree.start, None)
                tree = other
            if (walk := subtrees.begin_threshold(tree.engine, tree.start, threshold)) is not None:
                return walk
        return Walk(tree.engine, tree.start, threshold, tree.root)

    def parallelize(walk: Walk) -> ParallelWalk:
        """Split the remaining walk, or the whole tree ordered by promise, among the threads."""
        nonlocal tree
        make_other = (lambda: None) if tree.from_goal else make_other_tree
        ordered_tree = order_tree(tree, make_other, threshold, workers=threads, cancelled=cancelled)
        if ordered_tree is None:
            return ParallelWalk([walk], walk.report)
        cursors = [Cursor.from_bytes(unit.cursor) for unit in ordered_tree.remaining]
        if cursors[0].goal_blank is not None and (smaller := make_other()) is not None:
            confirm(tree.engine, tree.start, None)
            tree = smaller
        minimum = walk.report[NEXT_THRESHOLD]
        walk.report[NEXT_THRESHOLD] = min(minimum, ordered_tree.next_threshold or minimum)
        walks = [Walk(tree.engine, tree.start, threshold, cursor) for cursor in cursors]
        return ParallelWalk(walks, walk.report)

    if board == goal:
        return result(NO_MOVES, None)
    if upper_bound is not None and threshold >= upper_bound:
        return result(None, None)
    is_ordered = _is_search_ordered(goal, tree.engine, threads, pdb_folder)
    walk: Walk | SubtreeWalk | ParallelWalk = start_threshold()
    with DeterministicPool(1 if is_ordered else threads, limits, lambda: None) as pool:
        while True:
            if isinstance(walk, ParallelWalk):
                remaining_nodes = limits.after(0.0, generated).nodes
                status = walk.search(tree.engine, tree.start, remaining_nodes, pool)
            else:
                status = walk.search(limits.budget(tree.engine.chunk, generated))
            generated += int(walk.report[GENERATED])
            expanded += int(walk.report[EXPANDED])
            if status == FOUND:
                return result(walk.path, None)
            if status == EXHAUSTED:
                if walk.report[NEXT_THRESHOLD] == NO_F:
                    raise UnsolvableError(
                        "unreachable",
                        "{goal} cannot be reached from {board}",
                        goal=repr(goal),
                        board=repr(board),
                    )
                threshold = int(walk.report[NEXT_THRESHOLD])
                if upper_bound is not None and threshold >= upper_bound:
                    return result(None, None)
                walk = start_threshold()
            elif pool.threads > 1 and isinstance(walk, Walk) and not cancelled():
                # A threshold is only worth splitting if it takes longer than a chunk.
                walk = parallelize(walk)
            elif (
                not is_ordered
                and heuristic is not Heuristic.LINEAR_CONFLICT
                and (better := find_better_engine(tree.end, tree.engine, pdb_folder)) is not None
            ):
                # The nodes searched so far contain no solution, whichever engine was used, so the
                # walk can continue with the better one.
                confirm(tree.engine, tree.start, None)
                tree = tree.with_engine(better)
                if isinstance(walk, Walk):
                    walk = walk.with_engine(tree.engine, tree.start)
            now = search_clock()
            if progress is not None and now - reported >= _PROGRESS_INTERVAL_S:
                reported = now
                progress(Progress(threshold, None, generated, now - started))
            if (stopped_by := limits.check(now - started, generated)) is not None:
                return result(None, stopped_by)


def _is_search_ordered(goal: Board, engine: Engine, threads: int, pdb_folder: Path | None) -> bool:
    """Whether one thread searches the subtrees of a goal's boards in order of promise."""
    cells = goal.size.cells
    if cells <= A_STAR_CELLS:
        return True
    if cells > MAX_CELLS or threads > 1 or find_missing_partition(goal, pdb_folder) is not None:
        return False
    return find_better_engine(goal, engine, pdb_folder) is None


_PARTS_PER_THREAD = 4  # per round, so that a thread that finishes early can take another part


class ParallelWalk:
    """A walk split into parts, several of which are searched by threads in each round.

    The parts that a round searches, how far it searches them, and how it splits them depend only on
    the walk and the number of threads. A solution is accepted once all earlier parts are exhausted.
    So the result is reproducible. ``report`` contains the statistics of the last round.
    """

    def __init__(self, parts: Sequence[Walk], report: NDArray[np.int64]) -> None:
        self._threshold = parts[0].threshold
        self._parts = deque(parts)
        self.path: Moves | None = None
        self.report = report.copy()

    def search(
        self, engine: Engine, start: Start, nodes: int | None, pool: DeterministicPool
    ) -> int:
        """Search some parts, each for less than 0.1 s."""
        self._split(engine, start, _PARTS_PER_THREAD * pool.threads)
        batch = [
            self._parts.popleft()
            for _ in range(min(len(self._parts), _PARTS_PER_THREAD * pool.threads))
        ]

        def attempt(walk: Walk, limits: Limits) -> int:
            return walk.search(limits.budget(engine.chunk))

        tasks: list[Callable[[Limits], int]] = [partial(attempt, walk) for walk in batch]
        statuses = pool.run(tasks, nodes, lambda status: status == FOUND)
        self.report[GENERATED] = self.report[EXPANDED] = 0
        unfinished: list[Walk] = []
        for walk, status in zip(batch, statuses, strict=False):
            if status is None:
                unfinished.append(walk)
                continue
            for index in (GENERATED, EXPANDED):
                self.report[index] += walk.report[index]
            if status == FOUND:
                self.path = walk.path
                return FOUND
            minimum = min(self.report[NEXT_THRESHOLD], walk.report[NEXT_THRESHOLD])
            self.report[NEXT_THRESHOLD] = minimum
            if status == OUT_OF_BUDGET:
                unfinished.append(walk)
        self._parts.extendleft(reversed(unfinished))
        return OUT_OF_BUDGET if self._parts else EXHAUSTED

    def _split(self, engine: Engine, start: Start, target: int) -> None:
        """Split parts until there are ``target`` of them, unless too few can be split."""
        for _ in range(len(self._parts)):
            walk = self._parts.popleft()
            if walk.engine is not engine:
                walk = walk.with_engine(engine, start)
            self._parts.append(walk)
        for _ in range(target):
            if len(self._parts) >= target:
                return
            # The parts at the front are the largest, because they were split first.
            walk = self._parts.popleft()
            halves = walk.cursor().split()
            if halves is None:
                self._parts.append(walk)
                continue
            for half in halves:
                self._parts.append(Walk(engine, start, self._threshold, half))
