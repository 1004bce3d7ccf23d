"""Settings for sweeps and for the beam after them, within a given time."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.puzzle.board import Size
from tilework.core.solver.costs import HALF_SWEEP_FACTOR, STAGED_SECONDS, sweep_seconds


@dataclass(frozen=True, slots=True)
class Stage:
    power: float  # exponent of the potential, at least 1; a higher one favours distant tiles
    # Initial and final price of a move, relative to the gain of moving a tile that is a third of
    # the board's side away
    first_price: float
    last_price: float
    band: int | None = None  # cells that a sweep looks to each side; None for its reach
    alternates: bool = False  # whether sweeps across rows and across columns take turns
    drop: float = 0.02  # decrease of the price of a move if no path is worth it
    passes: int = 20  # maximum number of times that a path is examined for local changes


# Before the constructive solver, which needs many moves for the remaining tiles
ALL_STAGES = (Stage(2.0, 0.9, 0.25), Stage(1.7, 0.4, 0.2), Stage(1.4, 0.3, 0.1))


# For a quick first solution of a huge board: only sweeps with large gains; a quarter faster
_QUICK = (Stage(2.0, 3.0, 1.0), Stage(1.7, 1.2, 0.8), Stage(1.4, 1.0, 0.5), Stage(1.2, 0.6, 0.3))

# For huge boards: narrow bands suffice while most tiles are far away
_HUGE = (
    Stage(2.0, 0.9, 0.25, band=1, alternates=True, drop=0.06, passes=1),
    Stage(1.7, 0.4, 0.2, band=16, alternates=True, drop=0.06, passes=1),
    Stage(1.4, 0.3, 0.1, band=64, drop=0.06, passes=1),
)

NARROW_WIDTH = 75  # a narrower beam needs tiles as near to their goals as possible
_LARGE_SIDE = 160  # above this longer side, even `ALL_STAGES` leaves tiles over two steps away


def plan_stages_before_beam(size: Size, width: int) -> tuple[Stage, ...]:
    """Return the stages before a beam, which can move tiles three or four steps."""
    if width < NARROW_WIDTH or max(size) > _LARGE_SIDE:
        return ALL_STAGES
    return (Stage(2.0, 0.9, 0.25), Stage(1.7, 0.4, 0.2 * min(1.0, (40 / max(size)) ** 0.6)))


@dataclass(frozen=True, slots=True)
class SweepPlan:
    stages: tuple[Stage, ...] = ALL_STAGES
    share: float = 1.0  # share of each best path to play before the next search, 0 to 1
    # Lines and cells that a sweep looks ahead; too few if tiles are farther away
    reach: int = 256


@dataclass(frozen=True, slots=True)
class FirstSolutionPlan:
    """The sweeps for a first solution, and the width of the beam after them."""

    sweeps: SweepPlan
    width: int | None  # None for the constructive solver


# Time of a staged beam after `ALL_STAGES` per cell and path, for beams below `NARROW_WIDTH`
_NEAR_HOME_SECONDS = 1.8e-6

# Sweeps with a shorter reach soon gain nothing and are not faster (measured on a 256×256 board)
_MIN_REACH = 96

_MIN_WIDTH, _MAX_WIDTH = 30, 20_000
_PLANNED_SHARE = 0.8  # of the time; the beam is narrowed if this is not enough


def plan_huge_sweeps(size: Size) -> SweepPlan:
    """Return the plan for a board of more than `HUGE_CELLS`."""
    return SweepPlan(_HUGE, reach=max(size))


def plan_quick_sweeps(size: Size) -> SweepPlan:
    """Return the fastest plan for a first solution of a large board."""
    return SweepPlan(_QUICK, reach=min(256, max(64, max(size) // 4)))


def plan_sweeps(size: Size, seconds: float) -> FirstSolutionPlan:
    seconds *= _PLANNED_SHARE
    sweep_time = sweep_seconds(size)
    if seconds < sweep_time:
        # The time of sweeps is proportional to their reach.
        reach = max(_MIN_REACH, int(max(size) * seconds / sweep_time / 2))
        return FirstSolutionPlan(SweepPlan(reach=min(reach, 256)), None)
    share = 1.0
    if seconds > 2 * HALF_SWEEP_FACTOR * sweep_time:
        sweep_time *= HALF_SWEEP_FACTOR
        share = 0.5
    seconds_per_cell = (seconds - sweep_time) / size.cells
    if (width := int(seconds_per_cell / STAGED_SECONDS)) >= NARROW_WIDTH:
        stages = plan_stages_before_beam(size, width)
        return FirstSolutionPlan(SweepPlan(stages, share), min(width, _MAX_WIDTH))
    if (width := int(seconds_per_cell / _NEAR_HOME_SECONDS)) >= _MIN_WIDTH:
        return FirstSolutionPlan(SweepPlan(ALL_STAGES, share), width)
    return FirstSolutionPlan(SweepPlan(share=share), None)
