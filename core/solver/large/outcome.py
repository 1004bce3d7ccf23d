"""What every search for short solutions of large boards returns."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import StopReason


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one search.

    Attributes
    ----------
    moves : Moves or None
        A solution, not replayed yet; None where none was found or the search was stopped.
    nodes : int
        Generated.
    seconds : float
        Wall time.
    stopped_by : StopReason or None
        None where the search ended by itself.
    """

    moves: Moves | None
    nodes: int
    seconds: float
    stopped_by: StopReason | None
