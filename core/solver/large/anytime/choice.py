"""Selects the searches that improve the solution of a large board, by its size."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tilework.core.compiling import loading
from tilework.core.puzzle.board import Board, Size
from tilework.core.search.limits import Limits
from tilework.core.solver.costs import ONE_BEAM_CELLS, TWO_BEAMS_CELLS, sweep_share
from tilework.core.solver.kernels.constants import MAX_CELLS, MAX_GROUP_CELLS
from tilework.core.solver.large.anytime.views import View, make_view
from tilework.core.solver.large.outcome import BeamSearch, Outcome
from tilework.core.solver.optimal.choice import select_engine
from tilework.core.solver.trial import Trial, TrialKind


@loading
def load_searches(goal: Board, pdb_folder: Path | None) -> None:
    """Load the kernels and weights for the boards of a goal."""
    size = goal.size
    modules = ["tilework.core.solver.large.learned.search"]
    if size.cells > ONE_BEAM_CELLS:
        modules.append("tilework.core.solver.large.sweeps.staged_beam")
    if size.cells <= MAX_GROUP_CELLS:
        modules.append("tilework.core.solver.heuristics.lower_bounds")
    if size.cells > MAX_CELLS:
        modules.append("tilework.core.solver.optimal.nearby")
    for name in modules:
        import_module(name)
    if size.cells <= MAX_CELLS:
        # Building the pruning rules takes as long as loading the kernels.
        select_engine(goal, pdb_folder)
    import_module("tilework.core.solver.large.learned.potential").default_potential()


def beam_for(size: Size) -> BeamSearch:
    """Return the beam that finds the shortest solutions of boards of a size."""
    # Imported here, so that importing this module loads no kernels.
    from tilework.core.solver.large.learned.search import learned_beam

    return _run_staged_beam if size.cells > TWO_BEAMS_CELLS else learned_beam


def view_for(size: Size, trial: Trial) -> View:
    """Return the view that a trial searches; sweeps and staged beams keep start and goal."""
    keeps_goal = size.cells > TWO_BEAMS_CELLS or trial.kind is TrialKind.SWEEP
    return make_view(2 * trial.view if keeps_goal else trial.view)


def find_quick_solution(board: Board, goal: Board, limits: Limits) -> Outcome:
    """Find a solution of a huge board as quickly as possible, by sweeps with a short reach."""
    from tilework.core.solver.large.sweeps.plan import plan_quick_sweeps
    from tilework.core.solver.large.sweeps.sweeps import sweep

    return sweep(board, goal, plan_quick_sweeps(board.size), limits=limits)


def sweep_first(board: Board, goal: Board, seconds: float, limits: Limits) -> Outcome:
    """Find a solution by sweeps and, if that many seconds are enough, a staged beam."""
    from tilework.core.solver.large.sweeps.plan import plan_sweeps
    from tilework.core.solver.large.sweeps.staged_beam import staged_beam
    from tilework.core.solver.large.sweeps.sweeps import sweep

    plan = plan_sweeps(board.size, seconds)
    if plan.width is None:
        return sweep(board, goal, plan.sweeps, limits=limits)
    return staged_beam(board, goal, plan.width, plan.sweeps, limits=limits)


def _run_staged_beam(
    board: Board, goal: Board, width: int, *, limits: Limits, upper_bound: int | None
) -> Outcome:
    from tilework.core.solver.large.sweeps.plan import SweepPlan, plan_stages_before_beam
    from tilework.core.solver.large.sweeps.staged_beam import staged_beam

    return staged_beam(
        board,
        goal,
        width,
        SweepPlan(plan_stages_before_beam(board.size, width), sweep_share(board.size)),
        limits=limits,
        upper_bound=upper_bound,
    )
