"""What was found of all shortest solutions, as a JSON value: what is stored, what programs read."""

from __future__ import annotations

from typing import Any

from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.puzzle.slides import slides_in
from tilework.core.solver.slides.result import SlidesResult
from tilework.core.solver.ways.find import WaysResult
from tilework.core.solver.ways.kept import MOST_LISTED
from tilework.core.solver.ways.shortest_ways import MOST_DRAWN


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


def _with_slides(moves: Moves) -> dict[str, Any]:
    return {"moves": to_letters(moves), "slides": slides_in(moves)}


def _slides(found: SlidesResult) -> dict[str, Any]:
    return {
        "lower_bound": found.lower_bound,
        "slides": found.slides,
        "moves": None if found.moves is None else to_letters(found.moves),
        "optimal": found.optimal,
    }
