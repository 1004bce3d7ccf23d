"""How hard to sweep."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """Sweeps under one potential: a tile n steps away, along one axis, weighs n to the power.

    Attributes
    ----------
    power : float
        From 1. The higher, the more it counts that far tiles come nearer.
    first_price, last_price : float
        What a move costs at first and at last, in the gain of a tile that is a third of the
        board's side away.
    """

    power: float
    first_price: float
    last_price: float


STAGES = (Stage(2.0, 0.9, 0.25), Stage(1.7, 0.4, 0.2), Stage(1.4, 0.3, 0.1))


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What sweeps are played.

    Attributes
    ----------
    stages : tuple of Stage
    share : float
        How much of each best path is played before the next is looked for, 0 to 1.
    reach : int
        How many lines and cells away a sweep looks.
    """

    stages: tuple[Stage, ...] = STAGES
    share: float = 1.0
    reach: int = 256
