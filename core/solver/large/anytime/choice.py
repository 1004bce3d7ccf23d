"""Selects the searches that improve the solution of a large board, by its size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tilework.core.compiling import loading
from tilework.core.puzzle.board import Board, Size
from tilework.core.search.limits import Limits
from tilework.core.solver.costs import (
    ONE_BEAM_CELLS,
    SUFFIX_MAX_CELLS,
    TWO_BEAMS_CELLS,
    BeamCosts,
    beam_costs,
    sweep_seconds,
    sweep_share,
)
from tilework.core.solver.kernels.constants import MAX_CELLS, MAX_GROUP_CELLS
from tilework.core.solver.large.anytime.views import View, make_forward_view, make_view
from tilework.core.solver.large.outcome import BeamSearch, Outcome
from tilework.core.solver.optimal.choice import select_engine
from tilework.core.solver.trial import EFFORTS, Effort

# Looks for a solution. Arguments: board, goal, ``limits``
FirstSearch = Callable[..., Outcome]

# Looks for a shorter path. Arguments: the boards at both ends, the moves, the width, ``limits``
WindowSearch = Callable[..., Outcome]

# Looks for a shorter solution that has moves in common with the given one. Arguments: board, goal,
# the moves, the width, a number that selects the suffix, ``limits``
SuffixSearch = Callable[..., Outcome]


@dataclass(frozen=True, slots=True)
class Searches:
    beam: BeamSearch
    costs: BeamCosts
    window: WindowSearch
    efforts: tuple[Effort, ...] = EFFORTS
    suffix: SuffixSearch | None = None
    first: FirstSearch | None = None
    make_view: Callable[[int], View] = make_view


_FIRST_SECONDS = 2.0  # for the first solution if time is not limited
_FIRST_MIN_SECONDS = 0.5  # for the first solution, but at most half of the remaining time

_FIRST_SHARE = 0.15  # of the time, for the first solution
_FIRST_MAX_SHARE = 0.8  # of the remaining time, if the sweeps need it


@loading
def load_searches(goal: Board, pdb_folder: Path | None) -> None:
    """Load the kernels and weights for the boards of a goal."""
    size = goal.size
    modules = ["tilework.core.solver.large.learned.search"]
    if size.cells > ONE_BEAM_CELLS:
        modules.append("tilework.core.solver.large.sweeps.staged_beam")
    if size.cells <= MAX_GROUP_CELLS:
        modules.append("tilework.core.solver.heuristics.lower_bound")
    if size.cells > MAX_CELLS:
        modules.append("tilework.core.solver.optimal.nearby")
    for name in modules:
        import_module(name)
    if size.cells <= MAX_CELLS:
        # Building the pruning rules takes as long as loading the kernels.
        select_engine(goal, pdb_folder)
    import_module("tilework.core.solver.large.learned.potential").default_potential()


def searches_for(size: Size, expected_moves: int) -> Searches:
    # Imported here, so that importing the types loads no kernels.
    from tilework.core.solver.large.anytime.suffixes import shorten_suffix
    from tilework.core.solver.large.learned.search import learned_beam, shorten_path

    costs = beam_costs(size, expected_moves)
    if size.cells > TWO_BEAMS_CELLS:
        return Searches(
            _run_staged_beam,
            costs,
            shorten_path,
            first=_find_first,
            make_view=make_forward_view,
        )
    first = _find_first if size.cells > ONE_BEAM_CELLS else None
    suffix = shorten_suffix if size.cells <= SUFFIX_MAX_CELLS else None
    return Searches(learned_beam, costs, shorten_path, suffix=suffix, first=first)


def find_quick_solution(board: Board, goal: Board, limits: Limits) -> Outcome:
    """Find a solution of a huge board as quickly as possible, by sweeps with a short reach."""
    from tilework.core.solver.large.sweeps.plan import plan_quick_sweeps
    from tilework.core.solver.large.sweeps.sweeps import sweep

    return sweep(board, goal, plan_quick_sweeps(board.size), limits=limits)


def _find_first(board: Board, goal: Board, *, limits: Limits) -> Outcome:
    from tilework.core.solver.large.sweeps.plan import plan_sweeps
    from tilework.core.solver.large.sweeps.staged_beam import staged_beam
    from tilework.core.solver.large.sweeps.sweeps import sweep

    seconds = _FIRST_SECONDS
    if limits.seconds is not None:
        sweep_time = min(_FIRST_MAX_SHARE * limits.seconds, 1.5 * sweep_seconds(board.size))
        minimum = min(_FIRST_MIN_SECONDS, limits.seconds / 2)
        seconds = max(minimum, _FIRST_SHARE * limits.seconds, sweep_time)
    effort = plan_sweeps(board.size, seconds)
    if effort.width is None:
        return sweep(board, goal, effort.sweeps, limits=limits)
    return staged_beam(board, goal, effort.width, effort.sweeps, limits=limits)


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
