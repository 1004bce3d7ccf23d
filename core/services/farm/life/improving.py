"""Tries at a shorter solution beside the proof: any number at once, and nothing waits for them."""

from __future__ import annotations

from core.services.farm.life.draft import Draft
from core.services.farm.life.effects import Drop
from core.services.farm.life.events import Improved
from core.services.farm.records import Slice


def improved(draft: Draft, event: Improved) -> None:
    """End a try: a better solution lowers the upper bound, and may end the solve with it."""
    result = event.result
    draft.add(Drop(event.piece))
    draft.take_bounds(0, result.moves, result.algorithm, result.statistics.generated, event.seconds)
    if draft.solve.bounds != draft.before.bounds:
        draft.end_jobs()


def width_of(piece: Slice) -> int:
    """Return the width of the beam that a slice of this kind asks for."""
    return int(piece.cursor)
