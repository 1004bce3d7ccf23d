"""The statements of the ``slice`` table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
    update,
)

from tilework.core.model.states import (
    ACTIVE_JOB_STATES,
    Queue,
    SliceKind,
    SliceState,
    SuspensionKind,
)
from tilework.core.solver.strategy import NON_PROVING
from tilework.core.solver.target import Algorithm
from tilework.core.storage.checksums import SLICE
from tilework.core.storage.leases import Leases
from tilework.core.storage.models import MESSAGE, job, slice_, solve
from tilework.core.storage.operation import is_suspended

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
    slice_.c.priority,
    slice_.c.attempts,
    slice_.c.expiries,
    slice_.c.parent_id,
    slice_.c.owner,
    *SLICE.columns,
    slice_.c.checksum,
)

# The states are listed, because an index finds only equal values.
_unfinished = slice_.c.state.in_(
    [literal_column(f"'{state}'") for state in SliceState if state is not SliceState.DONE]
)
_changed: Mapping[str, Any] = {"updated_at": bindparam("now")}
LEASES = Leases(
    slice_,
    waiting=SliceState.READY,
    held=SliceState.LEASED,
    changed=_changed,
    taken={"nodes": 0},
)
_PUZZLE = (
    solve.c.canonical_key,
    solve.c.width,
    solve.c.height,
    solve.c.goal_blank,
    solve.c.board,
    solve.c.goal,
)
_waits = (slice_.c.queue == bindparam("queue"), slice_.c.state == SliceState.READY)
_is_small = solve.c.width * solve.c.height <= bindparam("max_cells")
ADD = slice_.insert()
NEXT = (
    select(*COLUMNS, *_PUZZLE, solve.c.traceparent)
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(*_waits)
    .order_by(slice_.c.priority, slice_.c.id)
    .limit(bindparam("limit"))
    .with_for_update(of=slice_, skip_locked=True)
)
NEXT_SMALL = NEXT.where(_is_small)
BY_IDS = select(*COLUMNS).where(slice_.c.id.in_(bindparam("ids", expanding=True)))
_serves_job = or_(
    (slice_.c.kind == SliceKind.INITIAL)
    & (job.c.algorithm == slice_.c.algorithm)
    & (job.c.heuristic == slice_.c.heuristic),
    (slice_.c.kind == SliceKind.IMPROVE) & (job.c.algorithm == Algorithm.AUTO),
    slice_.c.kind.in_((SliceKind.SEARCH, SliceKind.CHECK)) & job.c.algorithm.not_in(NON_PROVING),
)
NEEDED = (
    select(slice_.c.id)
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(
        slice_.c.id.in_(bindparam("ids", expanding=True)),
        slice_.c.state == SliceState.LEASED,
        slice_.c.owner == bindparam("holder"),
        solve.c.epoch == slice_.c.epoch,
        exists().where(
            job.c.solve_id == slice_.c.solve_id, job.c.state.in_(ACTIVE_JOB_STATES), _serves_job
        ),
    )
)
FINISH = (
    update(slice_)
    .where(*LEASES.mine)
    .values(
        state=SliceState.DONE,
        nodes=bindparam("result_nodes"),
        next_threshold=bindparam("result_threshold"),
        engine=bindparam("result_engine"),
        seconds=bindparam("result_seconds"),
        end_checksum=bindparam("end_checksum"),
        **LEASES.ended,
    )
)
REQUEUE = (
    update(slice_)
    .where(*LEASES.mine)
    .values(
        state=bindparam("new_state"),
        expiries=bindparam("new_expiries"),
        message=func.coalesce(bindparam("reason", type_=MESSAGE), slice_.c.message),
        **LEASES.ended,
    )
)
ADD_NODES = update(slice_).where(*LEASES.mine).values(nodes=slice_.c.nodes + bindparam("generated"))
# Only the cursors of trials: those of searches take a kilobyte or more.
_is_trial = slice_.c.kind == SliceKind.IMPROVE
RUNNING_COLUMNS = (
    slice_.c.id,
    slice_.c.kind,
    slice_.c.threshold,
    slice_.c.nodes,
    slice_.c.updated_at,
    case((_is_trial, slice_.c.cursor)),
)
RUNNING = (
    select(*RUNNING_COLUMNS)
    .where(slice_.c.solve_id == bindparam("of_solve"), slice_.c.state == SliceState.LEASED)
    .order_by(slice_.c.updated_at, slice_.c.id)
)
DROP = delete(slice_).where(*LEASES.mine)
_of_solve = slice_.c.solve_id == bindparam("of_solve")
DROP_ALL = delete(slice_).where(_of_solve, _unfinished)
GROUPS = (
    select(
        slice_.c.kind,
        slice_.c.state,
        slice_.c.algorithm,
        slice_.c.heuristic,
        func.count(),
        func.max(slice_.c.message),
        func.min(slice_.c.updated_at),
    )
    .where(_of_solve, _unfinished, slice_.c.id != bindparam("excluding"))
    .group_by(slice_.c.kind, slice_.c.state, slice_.c.algorithm, slice_.c.heuristic)
)
FORGET = delete(slice_).where(
    _of_solve,
    # All states are listed, so that the index by state and threshold is used.
    slice_.c.state.in_(list(SliceState)),
    slice_.c.threshold >= bindparam("lowest"),
)
_of_search = slice_.c.kind != SliceKind.INITIAL
_has_config = (
    slice_.c.kind == SliceKind.INITIAL,
    slice_.c.algorithm == bindparam("of_algorithm"),
    slice_.c.heuristic == bindparam("of_heuristic"),
)
WITHDRAW = delete(slice_).where(
    _of_solve, slice_.c.state.in_((SliceState.READY, SliceState.PARKED)), *_has_config
)
PARK = (
    update(slice_)
    .where(
        _of_solve,
        slice_.c.state == SliceState.READY,
        slice_.c.kind.in_([kind for kind in SliceKind if kind.proves]),
    )
    .values(state=SliceState.PARKED, expiries=0, attempts=0, **_changed)
)
_REVIVE = (
    update(slice_)
    .where(
        _of_solve,
        slice_.c.state.in_((SliceState.PARKED, SliceState.QUARANTINED)),
        or_(
            slice_.c.state == SliceState.PARKED,
            slice_.c.updated_at <= bindparam("quarantined_before"),
        ),
    )
    .values(
        state=SliceState.READY, expiries=0, attempts=0, priority=bindparam("priority"), **_changed
    )
)
REVIVE_SEARCH = _REVIVE.where(_of_search)
REVIVE_CONFIG = _REVIVE.where(*_has_config)
EXPEDITE = (
    update(slice_)
    .where(
        _of_solve,
        slice_.c.state == SliceState.READY,
        slice_.c.queue == Queue.BATCH,
        *_has_config,
    )
    .values(queue=Queue.INTERACTIVE, priority=bindparam("priority"), **_changed)
)
DROP_TRIALS = delete(slice_).where(
    _of_solve,
    slice_.c.state.in_((SliceState.READY, SliceState.PARKED)),
    slice_.c.kind == SliceKind.IMPROVE,
)
FIRST_PRIORITY = (
    select(slice_.c.priority)
    .where(
        slice_.c.queue == Queue.SEARCH,
        slice_.c.state == SliceState.READY,
        slice_.c.solve_id != bindparam("excluding_solve"),
    )
    .order_by(slice_.c.priority)
    .limit(1)
)
_is_open = ~is_suspended(SuspensionKind.QUEUE, "queue")
SOME = select(literal(1)).where(*_waits, _is_open).limit(1)
SOME_SMALL = (
    select(literal(1))
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(*_waits, _is_small, _is_open)
    .limit(1)
)
READY = select(func.count()).where(*_waits, _is_open)
IS_OPEN = select(literal(1)).where(_is_open)
