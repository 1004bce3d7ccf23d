"""One try at a shorter solution of a large board: what it is, and what it came to."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

from tilework.core.puzzle.moves import Moves


class TrialKind(StrEnum):
    """How a shorter solution is looked for.

    ``aimed``: a beam for solutions of one length, before the threshold that would disprove it.
    ``beam``: a beam over a view of the whole board. ``fresh``: the same, whose solution is then
    bettered window by window on its own, however long it is at first. ``windows``: windows of a
    stretch of the best path.
    """

    AIMED = "aimed"
    BEAM = "beam"
    FRESH = "fresh"
    WINDOWS = "windows"


@dataclass(frozen=True, slots=True)
class Trial:
    kind: TrialKind
    width: int = 0  # of the beam; of windows, that of `EFFORTS`
    # Which view of the problem a beam sees (`tilework.core.solver.large.anytime.views`)
    view: int = 0
    effort: int = 0  # which of `EFFORTS` windows are searched with
    number: int = 0  # of this board's tries; it says where the first cut between windows is
    count: int = 0  # moves of the stretch
    nodes: int | None = None  # budget of the windows

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, text: bytes) -> Trial:
        values = json.loads(text)
        return cls(**values | {"kind": TrialKind(values["kind"])})


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    # Of a beam a solution, of windows a shorter stretch; None where nothing shorter was found
    moves: Moves | None
    nodes: int  # generated
    algorithm: str  # what found it
    # Whether it ended by itself: windows that found nothing more, a beam that was not stopped
    whole: bool


@dataclass(frozen=True, slots=True)
class Effort:
    """How windows are searched: moves of each, and the width of its beam."""

    length: int
    width: int


# The next one is taken once the last gains nothing
EFFORTS = (Effort(60, 300), Effort(120, 1_000), Effort(150, 4_000), Effort(200, 10_000))
