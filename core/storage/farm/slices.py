"""The ``slice`` table: pieces of work, their claims and their ends."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    bindparam,
    delete,
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
    update,
)

from core.messages import Message
from core.services.farm.course import Course
from core.services.farm.life.situation import WorkGroup
from core.services.farm.records import Claim, Found, Puzzle, Slice
from core.services.leases import Holder, Lease
from core.services.states import ACTIVE_JOB_STATES, Queue, SliceKind, SliceState
from core.solver.strategy import PROVE_NOTHING
from core.storage.farm.slice_rows import COLUMNS, read_slice, write_slice
from core.storage.leases import Leases, token
from core.storage.models import TOLD, job, slice_, solve

# Named one by one: an index finds equal states, not unequal ones.
_unfinished = slice_.c.state.in_(
    [literal_column(f"'{state}'") for state in SliceState if state is not SliceState.DONE]
)
_changed: Mapping[str, Any] = {"updated_at": bindparam("now")}
_LEASES = Leases(slice_, waiting=SliceState.READY, held=SliceState.LEASED, changed=_changed)
_PUZZLE = (
    solve.c.key,
    solve.c.width,
    solve.c.height,
    solve.c.goal_blank,
    solve.c.board,
    solve.c.goal,
)
_NEXT = (
    select(*COLUMNS, *_PUZZLE)
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(slice_.c.queue == bindparam("queue"), slice_.c.state == SliceState.READY)
    .order_by(slice_.c.turn, slice_.c.id)
    .limit(bindparam("most"))
    .with_for_update(of=slice_, skip_locked=True)
)
_BY_IDS = select(*COLUMNS).where(slice_.c.id.in_(bindparam("ids", expanding=True)))
_serves_job = or_(
    (slice_.c.kind == SliceKind.OPEN)
    & (job.c.algorithm == slice_.c.algorithm)
    & (job.c.heuristic == slice_.c.heuristic),
    (slice_.c.kind != SliceKind.OPEN) & job.c.algorithm.not_in(PROVE_NOTHING),
)
_WANTED = (
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
_FINISH = (
    update(slice_)
    .where(*_LEASES.mine)
    .values(
        state=SliceState.DONE,
        nodes=bindparam("searched"),
        next_threshold=bindparam("least"),
        engine=bindparam("by"),
        seconds=bindparam("took"),
        **_LEASES.ended,
    )
)
_PUT = (
    update(slice_)
    .where(*_LEASES.mine)
    .values(
        state=bindparam("to"),
        expiries=bindparam("expired"),
        message=func.coalesce(bindparam("reason", type_=TOLD), slice_.c.message),
        **_LEASES.ended,
    )
)
_DROP = delete(slice_).where(*_LEASES.mine)
_of_solve = slice_.c.solve_id == bindparam("of_solve")
_DROP_ALL = delete(slice_).where(_of_solve, _unfinished)
_GROUPS = (
    select(
        slice_.c.kind,
        slice_.c.state,
        slice_.c.algorithm,
        slice_.c.heuristic,
        func.count(),
        func.max(slice_.c.message),
        func.min(slice_.c.updated_at),
    )
    .where(_of_solve, _unfinished, slice_.c.id != bindparam("but"))
    .group_by(slice_.c.kind, slice_.c.state, slice_.c.algorithm, slice_.c.heuristic)
)
_FORGET = delete(slice_).where(
    _of_solve,
    # All states are named, so that the index by state and threshold is used.
    slice_.c.state.in_(list(SliceState)),
    slice_.c.threshold >= bindparam("lowest"),
)
_of_search = slice_.c.kind != SliceKind.OPEN
_of_course = (
    slice_.c.kind == SliceKind.OPEN,
    slice_.c.algorithm == bindparam("of_algorithm"),
    slice_.c.heuristic == bindparam("of_heuristic"),
)
_WITHDRAW = delete(slice_).where(
    _of_solve, slice_.c.state.in_((SliceState.READY, SliceState.PARKED)), *_of_course
)
_PARK = (
    update(slice_)
    .where(_of_solve, slice_.c.state == SliceState.READY, slice_.c.kind == SliceKind.SEARCH)
    .values(state=SliceState.PARKED, expiries=0, attempts=0, **_changed)
)
_REVIVE = (
    update(slice_)
    .where(
        _of_solve,
        slice_.c.state.in_((SliceState.PARKED, SliceState.QUARANTINED)),
        or_(
            slice_.c.state == SliceState.PARKED,
            slice_.c.updated_at <= bindparam("rested_before"),
        ),
    )
    .values(state=SliceState.READY, expiries=0, attempts=0, turn=bindparam("at"), **_changed)
)
_REVIVE_SEARCH = _REVIVE.where(_of_search)
_REVIVE_COURSE = _REVIVE.where(*_of_course)
_DROP_TRIALS = delete(slice_).where(
    _of_solve,
    slice_.c.state.in_((SliceState.READY, SliceState.PARKED)),
    slice_.c.kind == SliceKind.IMPROVE,
)
_FIRST_TURN = (
    select(slice_.c.turn)
    .where(
        slice_.c.queue == Queue.SEARCH,
        slice_.c.state == SliceState.READY,
        slice_.c.solve_id != bindparam("but_of"),
    )
    .order_by(slice_.c.turn)
    .limit(1)
)
_SOME = (
    select(literal(1))
    .where(slice_.c.queue == bindparam("queue"), slice_.c.state == SliceState.READY)
    .limit(1)
)
_READY = select(func.count()).where(
    slice_.c.queue == bindparam("queue"), slice_.c.state == SliceState.READY
)


class StoredSlices:
    """Slices of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, slices: Sequence[Slice], now: float, holder: Holder | None = None) -> None:
        """Insert slices; leased ones are held by this holder."""
        if slices:
            rows = [write_slice(new, now, holder) for new in slices]
            self._connection.execute(slice_.insert(), rows)

    def next(self, queue: Queue, most: int) -> list[Claim]:
        """Return the slices whose turn it is, locked, past those that others have locked."""
        rows = self._connection.execute(_NEXT, {"queue": queue, "most": most})
        start = len(COLUMNS)
        return [Claim(read_slice(row), Puzzle(*row[start:])) for row in rows]

    def lease(self, ids: Collection[str], holder: Holder, now: float) -> None:
        """Claim locked slices; the attempt is counted before it is made."""
        _LEASES.take(self._connection, ids, holder, now)

    def renew(self, leases: Sequence[Lease], until: float) -> None:
        """Renew the leases that are still held."""
        _LEASES.renew(self._connection, leases, until)

    def release(self, leases: Sequence[Lease], now: float) -> None:
        """Give back slices that were claimed and not started."""
        _LEASES.release(self._connection, leases, now)

    def holds(self, lease: Lease) -> bool:
        """Whether a lease is still held."""
        return _LEASES.holds(self._connection, lease)

    def overdue(self, lease: Lease, now: float) -> bool:
        """Whether a lease has run out, and stays so until the transaction ends."""
        return _LEASES.overdue(self._connection, lease, now)

    def wanted(self, ids: Collection[str], owner: str) -> set[str]:
        """Return which of these are still held, and serve a job that is unfinished."""
        values = {"ids": list(ids), "holder": owner}
        return set(self._connection.execute(_WANTED, values).scalars())

    def finish(self, lease: Lease, found: Found, now: float) -> bool:
        """Mark a slice done; False where the lease is lost."""
        values = token(lease) | {
            "searched": found.nodes,
            "least": found.next_threshold,
            "by": found.engine,
            "took": found.seconds,
            "now": now,
        }
        return self._connection.execute(_FINISH, values).rowcount == 1

    def drop(self, lease: Lease) -> bool:
        """Delete a slice; False where the lease is lost."""
        return self._connection.execute(_DROP, token(lease)).rowcount == 1

    def put(
        self,
        lease: Lease,
        state: SliceState,
        expiries: int,
        now: float,
        message: Message | None = None,
    ) -> bool:
        """Let a slice wait again, or quarantine it; False where the lease is lost."""
        values = token(lease) | {
            "to": state,
            "expired": expiries,
            "reason": message,
            "now": now,
        }
        return self._connection.execute(_PUT, values).rowcount == 1

    def drop_all(self, solve_id: str) -> None:
        """Delete every slice of a solve that is not done."""
        self._connection.execute(_DROP_ALL, {"of_solve": solve_id})

    def forget(self, solve_id: str, threshold: int = 0) -> None:
        """Delete every slice of a solve, or those from a threshold on, done or not."""
        self._connection.execute(_FORGET, {"of_solve": solve_id, "lowest": threshold})

    def withdraw(self, solve_id: str, courses: Sequence[Course]) -> None:
        """Delete the openings of courses that wait."""
        for course in courses:
            self._connection.execute(_WITHDRAW, _of(course) | {"of_solve": solve_id})

    def drop_trials(self, solve_id: str) -> None:
        """Delete the tries at a shorter solution that wait."""
        self._connection.execute(_DROP_TRIALS, {"of_solve": solve_id})

    def park(self, solve_id: str, now: float) -> None:
        """Park the waiting slices of a solve's search."""
        self._connection.execute(_PARK, {"of_solve": solve_id, "now": now})

    def revive(
        self, solve_id: str, course: Course | None, *, turn: float, rested_before: float, now: float
    ) -> int:
        """Let parked slices wait again, and those quarantined by a time; return how many."""
        values: dict[str, object] = {
            "of_solve": solve_id,
            "at": turn,
            "rested_before": rested_before,
            "now": now,
        }
        if course is None:
            return self._connection.execute(_REVIVE_SEARCH, values).rowcount
        return self._connection.execute(_REVIVE_COURSE, values | _of(course)).rowcount

    def expired(self, now: float) -> list[Slice]:
        """Return slices whose lease ran out, at most 100."""
        leases = {lease.id: lease for lease in _LEASES.expired(self._connection, now)}
        if not leases:
            return []
        rows = self._connection.execute(_BY_IDS, {"ids": list(leases)})
        # Claimed again between the two reads, a slice has another lease by now.
        return [piece for piece in map(read_slice, rows) if piece.lease == leases[piece.id]]

    def groups(self, solve_id: str, but: str | None = None) -> list[WorkGroup]:
        """Return the counts of a solve's slices that are not done, except for one."""
        rows = self._connection.execute(_GROUPS, {"of_solve": solve_id, "but": but or ""})
        return [
            WorkGroup(SliceKind(kind), SliceState(state), Course(algorithm, heuristic), *facts)
            for kind, state, algorithm, heuristic, *facts in rows
        ]

    def first_turn(self, but_of: str | None) -> float | None:
        """Return the first turn in the queue of long searches, except for a solve."""
        return self._connection.execute(_FIRST_TURN, {"but_of": but_of or ""}).scalar()

    def some_ready(self, queue: Queue) -> bool:
        """Whether anything waits in a queue."""
        return self._connection.execute(_SOME, {"queue": queue}).first() is not None

    def ready(self, queue: Queue) -> int:
        """Count the slices that wait in a queue."""
        return self._connection.execute(_READY, {"queue": queue}).scalar_one()


def _of(course: Course) -> dict[str, object]:
    return {"of_algorithm": course.algorithm, "of_heuristic": course.heuristic}
