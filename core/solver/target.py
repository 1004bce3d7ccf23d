"""The options of a solve: algorithm, heuristic and target."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tilework.core.arguments import check_number


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


class TargetKind(StrEnum):
    OPTIMAL = "optimal"
    ANY = "any"
    GAP = "gap"


def relative_gap(lower: int, upper: int) -> float:
    """Return (upper − lower) / lower; 0 if both are equal, even if they are 0."""
    if upper == lower:
        return 0.0
    return (upper - lower) / lower if lower else float("inf")


@dataclass(frozen=True, slots=True)
class Target:
    kind: TargetKind = TargetKind.OPTIMAL
    gap: float = 0.0  # for ``GAP``: the maximum (upper − lower) / lower, a fraction ≥ 0

    def __post_init__(self) -> None:
        check_number("gap", self.gap)

    def is_met_by(self, lower: int, upper: int | None) -> bool:
        """Whether bounds meet this target."""
        if upper is None:
            return False
        if self.kind is TargetKind.ANY:
            return True
        allowed = self.gap if self.kind is TargetKind.GAP else 0.0
        return relative_gap(lower, upper) <= allowed
