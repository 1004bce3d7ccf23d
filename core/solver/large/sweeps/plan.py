"""How hard to sweep, and how wide the beam after it: settings, not times."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.puzzle.board import Size
from tilework.core.solver.costs import HALF_SWEEPS, STAGED_SECONDS, sweep_seconds


@dataclass(frozen=True, slots=True)
class Stage:
    power: float  # from 1. The higher, the more it counts that far tiles come nearer.
    # What a move costs at first and at last, in the gain of a tile that is a third of the board's
    # side away
    first_price: float
    last_price: float


# Before the constructive solver, which takes dearly what sweeps leave
TO_THE_END = (Stage(2.0, 0.9, 0.25), Stage(1.7, 0.4, 0.2), Stage(1.4, 0.3, 0.1))


# For a first solution of a huge board, soon: sweeps that gain much alone, a quarter faster
_AT_ONCE = (Stage(2.0, 3.0, 1.0), Stage(1.7, 1.2, 0.8), Stage(1.4, 1.0, 0.5), Stage(1.2, 0.6, 0.3))

NARROW = 75  # paths under which a beam does better the nearer to home the tiles are


_LARGE = 160  # longer side from which on even `TO_THE_END` leaves tiles more than two steps away


def sweeps_before_beam(size: Size, width: int) -> tuple[Stage, ...]:
    """Return the stages before a beam, which brings tiles home from three or four steps."""
    if width < NARROW or max(size) > _LARGE:
        return TO_THE_END
    return (Stage(2.0, 0.9, 0.25), Stage(1.7, 0.4, 0.2 * min(1.0, (40 / max(size)) ** 0.6)))


@dataclass(frozen=True, slots=True)
class SweepPlan:
    stages: tuple[Stage, ...] = TO_THE_END
    share: float = 1.0  # how much of each best path is played before the next is looked for, 0 to 1
    # How many lines and cells away a sweep looks, to 256. Where tiles are farther from home than
    # that it hurts.
    reach: int = 256


@dataclass(frozen=True, slots=True)
class Effort:
    """Sweeps, and the width of the beam after them."""

    sweeps: SweepPlan
    width: int | None  # None for the constructive solver


# The same after `TO_THE_END`, which is better for beams narrower than `NARROW`
_NEAR_HOME_SECONDS = 3e-6

# Sweeps that look less far soon find nothing that pays, and are no faster (256 × 256)
_LEAST_REACH = 96

_NARROWEST, _WIDEST = 30, 20_000
_PART = 0.8  # of the time that is planned with; the beam gets narrower where it was not enough


def quick_sweeps(size: Size) -> SweepPlan:
    """Return what gives a first solution of a huge board soonest."""
    return SweepPlan(_AT_ONCE, reach=min(256, max(64, max(size) // 4)))


def plan_sweeps(size: Size, seconds: float) -> Effort:
    seconds *= _PART
    sweeping = sweep_seconds(size)
    if seconds < sweeping:
        # Sweeps that look half as far take about half the time.
        reach = max(_LEAST_REACH, int(max(size) * seconds / sweeping / 2))
        return Effort(SweepPlan(reach=min(reach, 256)), None)
    share = 1.0
    if seconds > 2 * HALF_SWEEPS * sweeping:
        sweeping *= HALF_SWEEPS
        share = 0.5
    left = (seconds - sweeping) / size.cells
    if (width := int(left / STAGED_SECONDS)) >= NARROW:
        return Effort(SweepPlan(sweeps_before_beam(size, width), share), min(width, _WIDEST))
    if (width := int(left / _NEAR_HOME_SECONDS)) >= _NARROWEST:
        return Effort(SweepPlan(TO_THE_END, share), width)
    return Effort(SweepPlan(share=share), None)
