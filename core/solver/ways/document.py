"""What was found of all shortest solutions, as a JSON value: what is stored, what programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilework.core.errors import ReplayError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, from_letters, to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.slides import slides_in
from tilework.core.solver.ways.kept import MOST_LISTED
from tilework.core.solver.ways.shortest_ways import MOST_DRAWN

if TYPE_CHECKING:
    from tilework.core.solver.slides.find import SlidesResult
    from tilework.core.solver.ways.find import WaysResult


def ways_document(found: WaysResult, slides: SlidesResult | None) -> dict[str, Any]:
    """Return what was found with numbers, letters and nulls alone.

    Parameters
    ----------
    slides : SlidesResult or None
        What was found of the fewest slides, if there was time to look for them.
    """
    ways = found.ways
    count = None if ways is None else ways.count()
    known = found.moves is not None and len(found.moves) == found.lower_bound
    return {
        "lower_bound": found.lower_bound,
        "length": found.lower_bound if known else None,
        "count": count,
        "boards": None if ways is None else ways.boards,
        "moves": None if ways is None else ways.moves,
        "listed": 0 if count is None else min(count, MOST_LISTED),
        "drawn": ways is not None and ways.boards <= MOST_DRAWN,
        "solution": None if found.moves is None else to_letters(found.moves),
        "fewest_turns": None if ways is None else _with_slides(ways.fewest_slides()),
        "fewest_slides": None if slides is None else _slides(slides),
        "nodes": found.statistics.generated,
        "seconds": round(found.statistics.seconds, 3),
        "stopped_by": None if found.stopped_by is None else found.stopped_by.value,
    }


def check_document(start: Board, goal: Board, document: dict[str, Any]) -> None:
    """Replay the solutions of a document.

    Raises
    ------
    ReplayError
        If one does not lead to the goal, or in another number of moves or slides than is told.
    """
    length, turns, slides = (document[name] for name in ("length", "fewest_turns", "fewest_slides"))
    if document["solution"] is not None:
        _check(start, goal, document["solution"], length=length)
    if turns is not None:
        _check(start, goal, turns["moves"], length=length, slides=turns["slides"])
    if slides is not None and slides["moves"] is not None:
        _check(start, goal, slides["moves"], slides=slides["slides"])


def _with_slides(moves: Moves) -> dict[str, Any]:
    return {"moves": to_letters(moves), "slides": slides_in(moves)}


def _slides(found: SlidesResult) -> dict[str, Any]:
    return {
        "lower_bound": found.lower_bound,
        "slides": found.slides,
        "moves": None if found.moves is None else to_letters(found.moves),
        "optimal": found.optimal,
    }


def _check(
    start: Board, goal: Board, letters: str, length: int | None = None, slides: int | None = None
) -> None:
    moves = from_letters(letters)
    replay(start, moves, goal)
    if length is not None and len(moves) != length:
        raise ReplayError(
            "way-length",
            "a way of {count} moves is told to have {told}",
            count=len(moves),
            told=length,
        )
    if slides is not None and slides_in(moves) != slides:
        raise ReplayError(
            "way-slides",
            "a way of {count} slides is told to have {told}",
            count=slides_in(moves),
            told=slides,
        )
