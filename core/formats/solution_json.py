"""A solution as a JSON object, written as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tilework.core.formats.board_json import board_rows
from tilework.core.formats.letters import letters
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.slides import slides_in


def solution_json(
    start: Board,
    moves: MoveSequence,
    goal: Board,
    lower_bound: int | None,
    *,
    metric: Metric,
    blank_moves: bool,
) -> Iterator[str]:
    """Yield one JSON object.

    It has ``width height start goal length metric lower_bound optimal named_by moves slides``.
    ``moves`` are written as given; ``named_by`` says whether that is by the blank's way. ``slides``
    are counted once the moves have gone by; bound and ``optimal`` are of what the metric counts.
    """
    head = {
        "width": start.width,
        "height": start.height,
        "start": board_rows(start),
        "goal": board_rows(goal),
        "length": len(moves),
        "metric": metric.value,
        "lower_bound": lower_bound,
        "optimal": lower_bound == metric.length(moves),
        "named_by": "blank" if blank_moves else "tile",
    }
    yield json.dumps(head, separators=(",", ":"))[:-1] + ',"moves":"'
    yield from letters(moves)
    yield f'","slides":{slides_in(moves)}}}\n'
