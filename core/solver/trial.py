"""One try at a shorter solution of a large board: what it is, and what it came to.

A try depends on the board, or a stretch of its best path, and on what stands here, on nothing else:
whoever makes it finds the same. So a worker that dies costs one try, and one that comes late does
no harm.
"""

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
    """One try.

    Attributes
    ----------
    width : int
        Of the beam; of windows, that of `EFFORTS`.
    view : int
        Which view of the problem a beam sees (`tilework.core.solver.large.anytime.views`).
    effort : int
        Which of `EFFORTS` windows are searched with.
    number : int
        Of this board's tries; it says where the first cut between windows is.
    count : int
        Moves of the stretch.
    nodes : int or None
        Budget of the windows.
    """

    kind: TrialKind
    width: int = 0
    view: int = 0
    effort: int = 0
    number: int = 0
    count: int = 0
    nodes: int | None = None

    def to_bytes(self) -> bytes:
        """Return a text of some hundred bytes, as it is stored."""
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, text: bytes) -> Trial:
        """Read what `to_bytes` wrote.

        Raises
        ------
        ValueError, TypeError, KeyError
            If the bytes are damaged.
        """
        values = json.loads(text)
        return cls(**values | {"kind": TrialKind(values["kind"])})


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """What a try came to.

    Attributes
    ----------
    moves : Moves or None
        Of a beam a solution, of windows a shorter stretch; None where nothing shorter was found.
    nodes : int
        Generated.
    algorithm : str
        What found it.
    whole : bool
        Whether it ended by itself: windows that found nothing more, a beam that was not stopped.
    """

    moves: Moves | None
    nodes: int
    algorithm: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Effort:
    """How windows are searched: moves of each, and the width of its beam."""

    length: int
    width: int


EFFORTS = (Effort(60, 300), Effort(120, 1_000), Effort(150, 4_000), Effort(200, 10_000))
"""The next one is taken once the last gains nothing."""
