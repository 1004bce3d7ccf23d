"""An analysis as a JSON value: what is stored, and what programs read."""

from __future__ import annotations

from typing import Any

from tilework.core.errors import ReplayError
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.solver.analysis.game import Game
from tilework.core.solver.analysis.result import Analysis


def analysis_document(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis with numbers, letters and nulls alone."""
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


def check_ways(game: Game, document: dict[str, Any]) -> None:
    """Replay the better ways of a document.

    Raises
    ------
    ReplayError
        If one does not lead to the goal in as many moves as are told.
    """
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
