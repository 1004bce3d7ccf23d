"""IDA*: depth-first searches with increasing thresholds, in one process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilework.core.errors import UnsolvableError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import first_moves
from tilework.core.puzzle.moves import NO_MOVES, Moves
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
from tilework.core.solver.optimal.engine_choice import (
    find_better_engine,
    find_missing_partition,
    select_engine,
)
from tilework.core.solver.optimal.engines import Engine, restrict_untried_moves
from tilework.core.solver.optimal.slice import Tree, confirm, tree_from_board, tree_from_goal
from tilework.core.solver.optimal.subtrees import Subtrees, SubtreeWalk
from tilework.core.solver.result import Progress, ProgressListener, SearchResult
from tilework.core.solver.strategy import A_STAR_CELLS, DISTANCE_HEURISTICS
from tilework.core.solver.target import Algorithm, Heuristic

_PROGRESS_INTERVAL_S = 0.2
# Nodes of a threshold that are generated before threads share the rest
_UNSHARED_NODES = 100_000


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
    pdb_folder : Path, optional; by default the user's cache folder. Better pattern databases are
        used as soon as they have been built there.
    known_bound : int
        A proven lower bound with the parity of the solutions, which is the first threshold.
    upper_bound : int, optional
        Only look for shorter solutions. If this is the length of a known solution, the last
        threshold, which has most of the nodes, need not be searched.
    heuristic : Heuristic; one of `heuristics_for` the goal, or ``AUTO`` for the best of them
    subtrees : Subtrees, optional; the state of earlier calls with the same board and goal, which is
        updated. With it, one call per threshold is as fast as a single call.
    threads : int; the result depends only on their number

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
    started = reported = search_clock()
    engine = select_engine(goal, pdb_folder, heuristic)
    tree = _skip_mirror_images(tree_from_board(board, goal, engine))
    threshold = max(known_bound, tree.start.estimate)
    # A search from the goal could not use better databases once they have been built.
    compares_trees = (
        goal.size.cells > A_STAR_CELLS
        and find_missing_partition(goal, pdb_folder) is None
        and find_better_engine(goal, engine, pdb_folder) is None
    )
    generated = expanded = 0

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

    def check_limits() -> StopReason | None:
        return limits.check(search_clock() - started, generated)

    def report(nodes: int = 0) -> None:
        """Report progress, with the nodes of running threads."""
        nonlocal reported
        limits.report(generated + nodes)
        now = search_clock()
        if progress is not None and now - reported >= _PROGRESS_INTERVAL_S:
            reported = now
            progress(Progress(threshold, None, generated + nodes, now - started))

    def find_better() -> Engine | None:
        if heuristic in DISTANCE_HEURISTICS:
            return None
        return find_better_engine(tree.end, tree.engine, pdb_folder)

    def make_other_tree() -> Tree | None:
        other = tree_from_goal(board, goal, tree.engine, pdb_folder)
        return None if other is None else _skip_mirror_images(other)

    def start_threshold() -> SubtreeWalk:
        """Start a threshold, in the smaller tree once it is known."""
        nonlocal tree, generated
        if compares_trees:
            max_nodes = NO_F if limits.nodes is None else limits.nodes - generated
            generated += subtrees.compare_trees(
                threshold, make_other_tree, max_nodes, lambda: check_limits() is not None
            )
            if (
                subtrees.from_goal
                and not tree.from_goal
                and (other := make_other_tree()) is not None
            ):
                confirm(tree.engine, tree.start, None)
                tree = other
        return subtrees.begin_threshold(tree.engine, tree.start, threshold)

    def search() -> int:
        """Search a chunk on one thread, and then, on several, the rest of the threshold."""
        chunk = tree.engine.chunk if threads == 1 else min(tree.engine.chunk, _UNSHARED_NODES)
        status = walk.search(limits.budget(chunk, generated))
        count()
        if status != OUT_OF_BUDGET or threads == 1 or check_limits() is not None:
            return status
        remaining = limits.after(search_clock() - started, generated)
        cancelled = limits.cancelled
        remaining = replace(remaining, cancelled=lambda: cancelled() or find_better() is not None)
        status = walk.search_on_threads(threads, remaining, report)
        count()
        return status

    def count() -> None:
        nonlocal generated, expanded
        generated += int(walk.report[GENERATED])
        expanded += int(walk.report[EXPANDED])

    if board == goal:
        return result(NO_MOVES, None)
    if upper_bound is not None and threshold >= upper_bound:
        return result(None, None)
    walk = start_threshold()
    while True:
        status = search()
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
        elif (better := find_better()) is not None:
            # The threshold begins again, with far fewer nodes.
            confirm(tree.engine, tree.start, None)
            tree = _skip_mirror_images(tree.with_engine(better))
            walk = start_threshold()
        report()
        if (stopped_by := check_limits()) is not None:
            return result(None, stopped_by)


def _skip_mirror_images(tree: Tree) -> Tree:
    """Try only one of each pair of first moves that lead to mirror images of one another."""
    restrict_untried_moves(tree.start.row, first_moves(tree.start.board, tree.end))
    return tree
