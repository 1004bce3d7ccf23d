"""Which searches a board is solved with, by its size: the one place that names them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.solver.costs import (
    ONE_BEAM_CELLS,
    TWO_BEAMS_CELLS,
    BeamCosts,
    beam_costs,
    sweep_seconds,
    sweep_share,
)
from tilework.core.solver.kernels.constants import MAX_BEAM_CELLS, MAX_CELLS
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.target import Algorithm
from tilework.core.solver.trial import EFFORTS, Effort


class FirstSearch(Protocol):
    def __call__(self, board: Board, goal: Board, *, limits: Limits) -> Outcome:
        """Look for a solution."""


class BeamSearch(Protocol):
    def __call__(
        self, board: Board, goal: Board, width: int, *, limits: Limits, upper_bound: int | None
    ) -> Outcome:
        """Look for a solution that is shorter than the bound."""


class WindowSearch(Protocol):
    def __call__(
        self, start: Board, end: Board, moves: Moves, width: int, *, limits: Limits
    ) -> Outcome:
        """Look for fewer moves than these from start to end."""


@dataclass(frozen=True, slots=True)
class First:
    search: FirstSearch
    algorithm: Algorithm


@dataclass(frozen=True, slots=True)
class Beams:
    search: BeamSearch
    algorithm: Algorithm
    costs: BeamCosts


@dataclass(frozen=True, slots=True)
class Windows:
    search: WindowSearch
    algorithm: Algorithm
    efforts: tuple[Effort, ...]


@dataclass(frozen=True, slots=True)
class Searches:
    first: First | None = None
    beams: Beams | None = None
    windows: Windows | None = None


_FIRST_SECONDS = 2.0  # what the first solution may take where there is no limit

# What it may take in any case, unless that is more than half of the time
_FIRST_LEAST_SECONDS = 0.5

# Of the time that is left, by cells up to: the larger the board the fewer beams fit into it
_FIRST_SHARES = ((1_600, 0.15), (1 << 30, 0.45))
_FIRST_MOST = 0.8  # the same, where its sweeps need more


def load(goal: Board, pdb_folder: Path | None) -> None:
    """Load what searches a goal's boards, kernels and weights, before time begins to count."""
    size = goal.size
    modules = [
        "tilework.core.solver.large.learned.search",
        "tilework.core.solver.large.learned.window",
    ]
    if size.cells > ONE_BEAM_CELLS:
        modules.append("tilework.core.solver.large.sweeps.staged_beam")
    if size.cells <= MAX_BEAM_CELLS:
        modules.append("tilework.core.solver.heuristics.lower_bound")
    if size.cells > MAX_CELLS:
        modules.append("tilework.core.solver.optimal.nearby")
    for name in modules:
        import_module(name)
    if size.cells <= MAX_CELLS:
        # Its rules of pruning take as long to make as anything to load.
        engine_for(goal, pdb_folder)
    import_module("tilework.core.solver.large.learned.potential").shipped()


def searches_for(size: Size, expected_moves: int) -> Searches:
    # Here, so that whoever only wants the types loads no kernels.
    from tilework.core.solver.large.learned.search import learned_beam
    from tilework.core.solver.large.learned.window import shorter_way

    windows = Windows(shorter_way, Algorithm.BEAM, EFFORTS)
    costs = beam_costs(size, expected_moves)
    if size.cells > TWO_BEAMS_CELLS:
        beams = Beams(_staged_beam, Algorithm.BEAM, costs)
        return Searches(First(_first, Algorithm.BEAM), beams, windows)
    beams = Beams(learned_beam, Algorithm.BEAM, costs)
    if size.cells > ONE_BEAM_CELLS:
        return Searches(First(_first, Algorithm.BEAM), beams, windows)
    return Searches(None, beams, windows)


def quick_solution(board: Board, goal: Board, limits: Limits) -> Outcome:
    """Find some solution of a huge board as soon as possible, by sweeps that look not far."""
    from tilework.core.solver.large.constructive import solve_rest
    from tilework.core.solver.large.sweeps.plan import at_once
    from tilework.core.solver.large.sweeps.sweeps import sweep

    return sweep(board, goal, solve_rest, at_once(board.size), limits=limits)


def _first(board: Board, goal: Board, *, limits: Limits) -> Outcome:
    from tilework.core.solver.large.constructive import solve_rest
    from tilework.core.solver.large.sweeps.plan import plan_for
    from tilework.core.solver.large.sweeps.staged_beam import staged_beam
    from tilework.core.solver.large.sweeps.sweeps import sweep

    seconds = _FIRST_SECONDS
    if limits.seconds is not None:
        sweeps_in_full = min(_FIRST_MOST * limits.seconds, 1.5 * sweep_seconds(board.size))
        share = next(share for cells, share in _FIRST_SHARES if board.size.cells <= cells)
        at_least = min(_FIRST_LEAST_SECONDS, limits.seconds / 2)
        seconds = max(at_least, share * limits.seconds, sweeps_in_full)
    effort = plan_for(board.size, seconds)
    if effort.width is None:
        return sweep(board, goal, solve_rest, effort.sweeps, limits=limits)
    return staged_beam(board, goal, effort.width, solve_rest, effort.sweeps, limits=limits)


def _staged_beam(
    board: Board, goal: Board, width: int, *, limits: Limits, upper_bound: int | None
) -> Outcome:
    from tilework.core.solver.large.constructive import solve_rest
    from tilework.core.solver.large.sweeps.plan import SweepPlan, to_a_beam
    from tilework.core.solver.large.sweeps.staged_beam import staged_beam

    return staged_beam(
        board,
        goal,
        width,
        solve_rest,
        SweepPlan(to_a_beam(board.size, width), sweep_share(board.size)),
        limits=limits,
        upper_bound=upper_bound,
    )
