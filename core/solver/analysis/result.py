"""What an analysis of a game tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from tilework.core.errors import ReplayError
from tilework.core.puzzle.moves import Moves, from_letters, to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Statistics, StopReason
from tilework.core.solver.analysis.game import Game, Loop


class Loss(NamedTuple):
    """A move after which more remains than before: two moves are lost by it."""

    move: int  # its number, from 1
    remaining: int  # moves of the better way, from the position before the move
    way: Moves | None  # that way; None where all ways together are too long to be told


@dataclass(frozen=True, slots=True)
class Analysis:
    """What remains along a game, and where moves were lost."""

    # By position, from the one before the first move: no solution of it is shorter; proved
    lower: tuple[int, ...]
    upper: tuple[int | None, ...]  # moves of the shortest solution that is known
    losses: tuple[Loss, ...]  # every loss where all bounds meet; else those that are proved
    loops: tuple[Loop, ...]  # one after the other; without their moves no board comes twice
    slides: int  # moves where those of one direction in a row count as one
    is_solution: bool  # whether the game ends at its goal
    statistics: Statistics
    stopped_by: StopReason | None  # which limit ended the analysis before all bounds met

    @property
    def moves(self) -> int:
        return len(self.lower) - 1

    @property
    def exact(self) -> bool:
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
    # Boards whose remaining length is known, and all that the game met
    settled: int
    total: int
    # Bounds of the first position
    lower: int
    upper: int | None
    nodes: int
    seconds: float


AnalysisListener = Callable[[AnalysisProgress], None]


def analysis_document(analysis: Analysis) -> dict[str, Any]:
    return {
        "length": analysis.moves,
        "is_solution": analysis.is_solution,
        "exact": analysis.exact,
        "lower": list(analysis.lower),
        "upper": list(analysis.upper),
        "lost_at_least": analysis.least_excess,
        "lost_at_most": analysis.most_excess,
        "losses": [
            {
                "move": loss.move,
                "remaining": loss.remaining,
                "way": None if loss.way is None else to_letters(loss.way),
            }
            for loss in analysis.losses
        ],
        "loops": [{"first": loop.first, "last": loop.last} for loop in analysis.loops],
        "slides": analysis.slides,
        "nodes": analysis.statistics.generated,
        "seconds": round(analysis.statistics.seconds, 3),
        "stopped_by": None if analysis.stopped_by is None else analysis.stopped_by.value,
    }


def check_better_paths(game: Game, document: dict[str, Any]) -> None:
    for loss in document["losses"]:
        if loss["way"] is None:
            continue
        way = from_letters(loss["way"])
        here = game.board(loss["move"] - 1)
        replay(here, way, game.goal)
        if len(way) != loss["remaining"]:
            raise ReplayError(
                "way-length",
                "a way of {count} moves is told to have {told}",
                count=len(way),
                told=loss["remaining"],
            )
