"""The solver running in this process. Importing it loads Numba, so only workers do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.solver import solve as solver
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.ordering import order_tree
from tilework.core.solver.optimal.slice import (
    check_and_select_engine,
    first_threshold,
    search_slice,
    tree_from_board,
    tree_from_goal,
)
from tilework.core.solver.result import SlidesResult, SolutionListener
from tilework.core.solver.target import Target
from tilework.core.solver.trial import Trial, TrialKind, TrialOutcome
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit


class LocalSolver:
    """Implements `tilework.core.services.farm.solver_protocol.Solver`.

    ``pdb_folder``: folder of the pattern databases.
    """

    def __init__(self, pdb_folder: Path) -> None:
        self._pdb_folder = pdb_folder
        self.solve = partial(solver.solve, pdb_folder=pdb_folder, workers_continue=True)
        self.first_threshold = partial(first_threshold, pdb_folder=pdb_folder)

    def slides(
        self,
        board: Board,
        goal: Board,
        *,
        target: Target,
        limits: Limits,
        on_solution: SolutionListener,
    ) -> SlidesResult:
        # Imported here, so that its kernels are loaded or compiled only when used.
        from tilework.core.solver.slides.find import find_slides

        return find_slides(
            board,
            goal,
            target=target,
            limits=limits,
            on_solution=on_solution,
            pdb_folder=self._pdb_folder,
        )

    def root(self) -> WorkUnit:
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
        return search_slice(
            board,
            goal,
            threshold,
            Cursor.from_bytes(cursor),
            nodes,
            cancelled=cancelled,
            pdb_folder=self._pdb_folder,
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
        tree = tree_from_board(board, goal, check_and_select_engine(board, goal, self._pdb_folder))
        from_goal = partial(tree_from_goal, board, goal, tree.engine, self._pdb_folder)
        return order_tree(tree, from_goal, threshold, workers=workers, cancelled=cancelled)

    def aim(
        self, board: Board, goal: Board, trial: Trial, length: int, limits: Limits
    ) -> TrialOutcome:
        # Imported here, so that its kernels are loaded or compiled only when used.
        from tilework.core.solver.large.beam import run_aimed_beams

        outcome = run_aimed_beams(
            board, goal, length, trial.width, limits=limits, pdb_folder=self._pdb_folder
        )
        return TrialOutcome(outcome.moves, outcome.nodes, outcome.stopped_by is None)

    def try_beam(
        self, board: Board, goal: Board, trial: Trial, upper_bound: int, limits: Limits
    ) -> TrialOutcome:
        from tilework.core.solver.large.anytime.trials import run_beam_trial

        return run_beam_trial(board, goal, trial, upper_bound, limits)

    def shorten(self, start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
        from tilework.core.solver.large.anytime.trials import run_suffix_trial, run_window_trial

        run = run_suffix_trial if trial.kind is TrialKind.SUFFIX else run_window_trial
        return run(start, path, trial, limits)

    def check(
        self, board: Board, goal: Board, record: ThresholdRecord, seed: str, limits: Limits
    ) -> Message | None:
        from tilework.core.solver.optimal.proof.recheck import find_error

        return find_error(board, goal, record, seed, pdb_folder=self._pdb_folder, limits=limits)

    def split(self, board: Board, cursor: bytes) -> tuple[WorkUnit, WorkUnit] | None:
        halves = Cursor.from_bytes(cursor).split()
        if halves is None:
            return None
        first, second = (WorkUnit(half.to_bytes(), half.share(board)) for half in halves)
        return first, second
