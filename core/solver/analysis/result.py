"""The result of the analysis of a game."""

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
    """A mistake: a move after which more moves remain than before, so two are lost."""

    move: int  # its number, from 1
    remaining: int  # moves of the better path from the position before the move
    path: Moves | None  # the better path; None if the paths of all losses would be too long


@dataclass(frozen=True, slots=True)
class Analysis:
    """Bounds on the remaining moves along a game, and its mistakes."""

    lower: tuple[int, ...]  # proven lower bound by position, from before the first move on
    upper: tuple[int | None, ...]  # length of the shortest known solution by position
    losses: tuple[Loss, ...]  # all mistakes if all bounds meet, otherwise those that are proven
    loops: tuple[Loop, ...]  # disjoint, in order; without their moves no board occurs twice
    slides: int  # consecutive moves in the same direction count as one
    is_solution: bool  # whether the game ends at its goal
    statistics: Statistics
    stopped_by: StopReason | None  # the limit that ended the analysis before all bounds met

    @property
    def moves(self) -> int:
        return len(self.lower) - 1

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    @property
    def min_excess(self) -> int:
        """The minimum number of wasted moves: two for each mistake.

        If that is more: the moves made plus the remaining moves, minus the length of the shortest
        known solution of the first position.
        """
        first = self.upper[0]
        proven = 2 * len(self.losses)
        return proven if first is None else max(proven, self.moves + self.lower[-1] - first)

    @property
    def max_excess(self) -> int | None:
        """The maximum number of wasted moves; None if no solution is known."""
        last = self.upper[-1]
        return None if last is None else self.moves + last - self.lower[0]


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    # Boards whose remaining moves are known, and all boards of the game
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
        "lost_at_least": analysis.min_excess,
        "lost_at_most": analysis.max_excess,
        "losses": [
            {
                "move": loss.move,
                "remaining": loss.remaining,
                "way": None if loss.path is None else to_letters(loss.path),
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
        path = from_letters(loss["way"])
        board = game.board(loss["move"] - 1)
        replay(board, path, game.goal)
        if len(path) != loss["remaining"]:
            raise ReplayError(
                "way-length",
                "a solution of {count} moves is recorded as having {recorded}",
                count=len(path),
                recorded=loss["remaining"],
            )
