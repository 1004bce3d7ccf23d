"""Reading what proves a lower bound: the done slices of search of the thresholds under it."""

from __future__ import annotations

from sqlalchemy import bindparam, case, or_, select

from core.services.states import SliceKind, SliceState, SolveState
from core.storage.models import slice_, solve

PROOF = (
    select(
        slice_.c.id,
        slice_.c.parent_id,
        slice_.c.threshold,
        slice_.c.cursor,
        slice_.c.nodes,
        slice_.c.least_over,
        slice_.c.engine,
        slice_.c.seconds,
    )
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(
        slice_.c.solve_id == bindparam("of_solve"),
        slice_.c.state == SliceState.DONE,
        slice_.c.kind == SliceKind.SEARCH,
        # A solve that settles begins a new epoch. What is of an older one was taken back.
        slice_.c.epoch == solve.c.epoch - case((solve.c.state == SolveState.SETTLED, 1), else_=0),
        # The threshold at which the solution was found proves nothing: its search was ended.
        slice_.c.threshold < solve.c.lower_bound,
    )
    .order_by(slice_.c.threshold, slice_.c.id)
    .limit(bindparam("most"))
)
PROOF_AFTER = PROOF.where(
    slice_.c.threshold >= bindparam("threshold"),
    or_(slice_.c.threshold > bindparam("threshold"), slice_.c.id > bindparam("after")),
)
