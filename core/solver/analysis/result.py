"""What an analysis of a game tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import StopReason
from tilework.core.search.statistics import Statistics
from tilework.core.solver.analysis.game import Loop


class Loss(NamedTuple):
    """A move after which more remains than before: two moves are lost by it.

    Attributes
    ----------
    move : int
        Its number, from 1.
    remaining : int
        Moves of the better way, from the position before the move.
    way : Moves or None
        That way; None where all ways together are too long to be told.
    """

    move: int
    remaining: int
    way: Moves | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What remains along a game, and where moves were lost.

    Attributes
    ----------
    lower : tuple of int
        By position, from the one before the first move: no solution of it is shorter; proved.
    upper : tuple of int or None
        Moves of the shortest solution that is known.
    losses : tuple of Loss
        Every loss where all bounds meet; else those that are proved.
    loops : tuple of Loop
        One after the other; without their moves no board comes twice.
    slides : int
        Moves where those of one direction in a row count as one.
    is_solution : bool
        Whether the game ends at its goal.
    stopped_by : StopReason or None
        Which limit ended the analysis before all bounds met.
    """

    lower: tuple[int, ...]
    upper: tuple[int | None, ...]
    losses: tuple[Loss, ...]
    loops: tuple[Loop, ...]
    slides: int
    is_solution: bool
    statistics: Statistics
    stopped_by: StopReason | None

    @property
    def moves(self) -> int:
        """Moves of the game."""
        return len(self.lower) - 1

    @property
    def exact(self) -> bool:
        """Whether it is known of every position what remains."""
        return self.lower == self.upper

    @property
    def least_excess(self) -> int:
        """Moves that were lost, at least: proved.

        Moves made and moves that remain, less the moves of a shortest solution of the first
        position. Two for each loss.
        """
        first = self.upper[0]
        proved = 2 * len(self.losses)
        return proved if first is None else max(proved, self.moves + self.lower[-1] - first)

    @property
    def most_excess(self) -> int | None:
        """Moves that were lost, at most; None where no solution is known."""
        last = self.upper[-1]
        return None if last is None else self.moves + last - self.lower[0]


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    """Where a running analysis stands.

    Attributes
    ----------
    settled, total : int
        Boards whose remaining length is known, and all that the game met.
    lower, upper : int, int or None
        Bounds of the first position.
    nodes : int
    seconds : float
    """

    settled: int
    total: int
    lower: int
    upper: int | None
    nodes: int
    seconds: float


AnalysisListener = Callable[[AnalysisProgress], None]
