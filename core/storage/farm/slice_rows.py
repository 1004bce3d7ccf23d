"""Conversion between rows of the ``slice`` table and `Slice`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from tilework.core.model.farm.solves import SearchConfig, Slice
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue, SliceKind, SliceState
from tilework.core.solver.target import Target, TargetKind
from tilework.core.storage.damage.seals import QUEUES, SLICE, SLICE_END, damaged
from tilework.core.storage.models import slice_

COLUMNS = (
    slice_.c.id,
    slice_.c.solve_id,
    slice_.c.epoch,
    slice_.c.kind,
    slice_.c.queue,
    slice_.c.state,
    slice_.c.threshold,
    slice_.c.cursor,
    slice_.c.algorithm,
    slice_.c.heuristic,
    slice_.c.target,
    slice_.c.gap,
    slice_.c.share,
    slice_.c.turn,
    slice_.c.attempts,
    slice_.c.expiries,
    slice_.c.parent_id,
    slice_.c.owner,
    *SLICE.columns,
    slice_.c.seal,
)

_SEALED = slice(len(COLUMNS) - len(SLICE.columns) - 1, len(COLUMNS) - 1)


def read_slice(row: Row[*tuple[Any, ...]]) -> Slice:
    """Read a row that begins with `COLUMNS`.

    Raises DamagedRowError if it is damaged.
    """
    (
        id_, solve_id, epoch, kind, queue, state, threshold, cursor, algorithm, heuristic,
        target, gap, share, priority, attempts, expiries, parent_id, owner, *_,
    ) = row  # fmt: skip
    if not SLICE.fits(row[_SEALED], row[_SEALED.stop]):
        raise damaged("slice", id_)
    if queue not in QUEUES:
        raise damaged("slice", id_)
    return Slice(
        id=id_,
        solve_id=solve_id,
        epoch=epoch,
        kind=SliceKind(kind),
        queue=Queue(queue),
        state=SliceState(state),
        threshold=threshold,
        cursor=cursor,
        config=SearchConfig(algorithm, heuristic),
        target=Target(TargetKind(target), gap),
        share=share,
        priority=priority,
        attempts=attempts,
        expiries=expiries,
        parent_id=parent_id,
        owner=owner,
    )


def write_slice(new: Slice, now: float, holder: Holder | None = None) -> dict[str, object]:
    held = holder if new.state is SliceState.LEASED else None
    values = {
        "id": new.id,
        "solve_id": new.solve_id,
        "epoch": new.epoch,
        "kind": new.kind,
        "queue": new.queue,
        "state": new.state,
        "turn": new.priority,
        "threshold": new.threshold,
        "algorithm": new.config.algorithm,
        "heuristic": new.config.heuristic,
        "target": new.target.kind,
        "gap": new.target.gap,
        "share": new.share,
        "owner": None if held is None else held.owner,
        "lease_until": None if held is None else held.until,
        "attempts": new.attempts,
        "expiries": new.expiries,
        "nodes": 0,
        "next_threshold": None,
        "created_at": now,
        "updated_at": now,
        "parent_id": new.parent_id,
        "engine": None,
        "seconds": 0.0,
        "message": None,
        "cursor": new.cursor,
    }
    done = new.state is SliceState.DONE
    seals = {
        "seal": SLICE.of_values(values),
        "end_seal": SLICE_END.of_values(values) if done else None,
    }
    return values | seals
