"""Checks of what was searched: a bound is proved once the record of its threshold passed."""

from __future__ import annotations

from tilework.core.model.changes import Drop, Return
from tilework.core.model.states import SliceState
from tilework.core.services.farm.life.draft import Draft
from tilework.core.services.farm.life.events import Checked
from tilework.core.services.farm.life.searching import start_over
from tilework.core.services.farm.life.work import see_to
from tilework.core.solver.target import Algorithm


def checked(draft: Draft, event: Checked) -> None:
    """Raise the lower bound, or search the threshold again."""
    piece, upper = event.piece, draft.solve.upper_bound
    if event.bound is None:
        active = any(map(draft.is_deepened, draft.jobs))
        draft.add(Return(piece, SliceState.READY if active else SliceState.PARKED, piece.expiries))
        return
    draft.add(Drop(piece))
    if event.fault is None and (upper is None or event.bound <= upper):
        draft.take_bounds(event.bound, None, Algorithm.IDA_STAR, 0, 0.0)
    elif draft.solve.lower_bound <= piece.threshold:
        # A solution that is known by now spares the threshold that has its length.
        least = piece.threshold if upper is None else min(piece.threshold, upper - 2)
        start_over(draft, least, event.root, piece.turn)
    draft.end_jobs()
    if not draft.solve.settled:
        see_to(draft, filter(draft.is_deepened, draft.jobs), piece.turn)
