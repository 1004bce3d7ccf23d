"""What is asked of a solve: algorithm, heuristic, and when an answer is good enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tilework.core.errors import OptionError


class Algorithm(StrEnum):
    AUTO = "auto"
    A_STAR = "a-star"
    IDA_STAR = "ida-star"
    BEAM = "beam"
    CONSTRUCTIVE = "constructive"


class Heuristic(StrEnum):
    AUTO = "auto"
    MANHATTAN = "manhattan"
    LINEAR_CONFLICT = "linear-conflict"
    PATTERN_DATABASE = "pattern-database"


# What an answer is called that was read off a table of all distances. Nobody asks for it: where the
# table is there, it serves whoever leaves the algorithm to us.
LOOK_UP: Final = "look-up"


class TargetKind(StrEnum):
    OPTIMAL = "optimal"
    ANY = "any"
    GAP = "gap"


def relative_gap(lower: int, upper: int) -> float:
    """(upper − lower) / lower; 0 where both are equal, also at a lower bound of 0."""
    if upper == lower:
        return 0.0
    return (upper - lower) / lower if lower else float("inf")


@dataclass(frozen=True, slots=True)
class Target:
    kind: TargetKind = TargetKind.OPTIMAL
    gap: float = 0.0  # for ``GAP``: the largest accepted (upper − lower) / lower, as a fraction ≥ 0

    def __post_init__(self) -> None:
        if self.gap < 0:
            raise OptionError(
                "gap", "invalid gap {gap:g}; give a fraction, 0 or greater", gap=self.gap
            )

    def is_met_by(self, lower: int, upper: int | None) -> bool:
        """Whether bounds are good enough to end a job with this target."""
        if upper is None:
            return False
        if self.kind is TargetKind.ANY:
            return True
        allowed = self.gap if self.kind is TargetKind.GAP else 0.0
        return relative_gap(lower, upper) <= allowed
