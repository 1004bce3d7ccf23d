"""Trials: single searches for a shorter solution of a large board."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

from tilework.core.puzzle.moves import Moves


class TrialKind(StrEnum):
    """How a trial looks for a shorter solution.

    ``sweep``: sweeps, and a staged beam if there is time, for a quick first improvement.
    ``aimed``: a beam for solutions of one length, before the threshold of that length. ``beam``: a
    beam on a view of the whole board. ``fresh``: the same, followed by windows of the beam's
    solution, which may initially be longer than the best one. ``suffix``: a beam from a board along
    the best solution. ``windows``: windows of a segment of the best solution.
    """

    SWEEP = "sweep"
    AIMED = "aimed"
    BEAM = "beam"
    FRESH = "fresh"
    SUFFIX = "suffix"
    WINDOWS = "windows"


@dataclass(frozen=True, slots=True)
class Trial:
    kind: TrialKind
    width: int = 0  # of the beam; that of windows depends on the effort
    view: int = 0  # of the beam (`tilework.core.solver.large.anytime.views`)
    effort: int = 0  # of the windows: index in `EFFORTS`
    # Of the trial on this board; determines where the first window or the suffix begins
    number: int = 0
    count: int = 0  # number of moves of the segment
    nodes: int | None = None  # budget of the windows
    seconds: float | None = None  # limit; a beam narrows to end by then
    expected_s: float | None = None  # expected duration of a beam

    @property
    def window_length(self) -> int | None:
        """The moves in each window; None for beams."""
        return EFFORTS[self.effort].length if self.kind is TrialKind.WINDOWS else None

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Trial:
        values = json.loads(data)
        return cls(**values | {"kind": TrialKind(values["kind"])})


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    moves: Moves | None  # a shorter solution, or a shorter segment; None if none was found
    nodes: int  # number of nodes generated
    complete: bool  # whether no window can be improved further, or the beam was not stopped
    # Mean width of the beam after sweeps, relative to the planned one: less on a slow host
    width_share: float = 1.0


@dataclass(frozen=True, slots=True)
class Effort:
    """Length and beam width of windows."""

    length: int
    width: int


# Each effort is used once the previous one gains nothing. Near the end of a solution, long windows
# gain more than wide ones.
EFFORTS = (
    Effort(60, 300),
    Effort(120, 1_000),
    Effort(300, 1_000),
    Effort(1_000, 1_000),
    Effort(150, 4_000),
)
