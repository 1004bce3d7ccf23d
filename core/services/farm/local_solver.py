"""The solver running in this process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.solver.large.beam import run_aimed_beams
from tilework.core.solver.large.trials import (
    run_beam_trial,
    run_suffix_trial,
    run_window_trial,
)
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.proof import find_error
from tilework.core.solver.optimal.slice import (
    check_and_select_engine,
    first_threshold,
    search_slice,
    tree_from_board,
    tree_from_goal,
)
from tilework.core.solver.optimal.subtrees import order_tree
from tilework.core.solver.result import SliceOutcome, WorkUnit
from tilework.core.solver.slides.find import find_slides
from tilework.core.solver.solve import solve
from tilework.core.solver.trial import Trial, TrialKind, TrialOutcome


class LocalSolver:
    """The solver, as workers use it; the tests have a scripted one.

    ``pdb_folder``: folder of the pattern databases.
    """

    def __init__(self, pdb_folder: Path) -> None:
        self._pdb_folder = pdb_folder
        self.solve = partial(solve, pdb_folder=pdb_folder, workers_continue=True)
        self.slides = partial(find_slides, pdb_folder=pdb_folder)
        self.first_threshold = partial(first_threshold, pdb_folder=pdb_folder)
        self.check = partial(find_error, pdb_folder=pdb_folder)
        self.try_beam = run_beam_trial

    def root(self) -> WorkUnit:
        """Return the whole tree as one unit."""
        return WorkUnit(Cursor.root().to_bytes(), 1.0)

    def search(
        self,
        board: Board,
        goal: Board,
        threshold: int,
        cursor: bytes,
        *,
        nodes: int,
        cancelled: Callable[[], bool],
    ) -> SliceOutcome:
        """Search about this many nodes of a part of a threshold's tree."""
        part, folder = Cursor.from_bytes(cursor), self._pdb_folder
        return search_slice(
            board, goal, threshold, part, nodes, cancelled=cancelled, pdb_folder=folder
        )

    def order(
        self,
        board: Board,
        goal: Board,
        threshold: int,
        *,
        workers: int,
        cancelled: Callable[[], bool],
    ) -> SliceOutcome | None:
        """Order a threshold's tree, most promising parts first; None if it is not worth it."""
        tree = tree_from_board(board, goal, check_and_select_engine(board, goal, self._pdb_folder))
        from_goal = partial(tree_from_goal, board, goal, tree.engine, self._pdb_folder)
        return order_tree(tree, from_goal, threshold, workers=workers, cancelled=cancelled)

    def aim(
        self, board: Board, goal: Board, trial: Trial, length: int, limits: Limits
    ) -> TrialOutcome:
        """Search for a solution of exactly this length, with beams up to the trial's width."""
        outcome = run_aimed_beams(
            board, goal, length, trial.width, limits=limits, pdb_folder=self._pdb_folder
        )
        return TrialOutcome(outcome.moves, outcome.nodes, outcome.stopped_by is None)

    def shorten(self, start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
        """Search a suffix of the best solution, or windows of a segment, for a shorter path.

        ``path``: the best solution or the segment; ``start``: the board where it begins.
        """
        run = run_suffix_trial if trial.kind is TrialKind.SUFFIX else run_window_trial
        return run(start, path, trial, limits)

    def split(self, board: Board, cursor: bytes) -> tuple[WorkUnit, WorkUnit] | None:
        """Split a cursor in two; return None if it cannot be split."""
        halves = Cursor.from_bytes(cursor).split()
        if halves is None:
            return None
        first, second = (WorkUnit(half.to_bytes(), half.share(board)) for half in halves)
        return first, second
