"""The ``slice`` table: claims, leases and their ends."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import (
    Connection,
    bindparam,
    delete,
    func,
    literal,
    select,
    update,
)

from core.services.records import Claim, Found, Lease, Puzzle, Slice
from core.services.states import Queue, SliceKind, SliceState, SolveState
from core.storage.models import slice_, solve
from core.storage.slice_rows import COLUMNS, read_slice, write_slice

_PUZZLE = (
    solve.c.key,
    solve.c.width,
    solve.c.height,
    solve.c.goal_blank,
    solve.c.board,
    solve.c.goal,
    solve.c.lower_bound,
    solve.c.upper_bound,
)
_NEXT = (
    select(*COLUMNS, *_PUZZLE)
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(slice_.c.queue == bindparam("queue"), slice_.c.state == SliceState.READY)
    .order_by(slice_.c.turn, slice_.c.id)
    .limit(bindparam("most"))
    .with_for_update(of=slice_, skip_locked=True)
)
_EXPIRED = (
    select(*COLUMNS)
    .where(slice_.c.state == SliceState.LEASED, slice_.c.lease_until < bindparam("now"))
    .limit(100)
)
_by_ids = slice_.c.id.in_(bindparam("ids", expanding=True))
_LEASE = (
    update(slice_)
    .where(_by_ids)
    .values(
        state=SliceState.LEASED,
        owner=bindparam("holder"),
        lease_until=bindparam("until"),
        attempts=slice_.c.attempts + 1,
        updated_at=bindparam("now"),
    )
)
_held = (_by_ids, slice_.c.state == SliceState.LEASED, slice_.c.owner == bindparam("holder"))
_RENEW = update(slice_).where(*_held).values(lease_until=bindparam("until"))
_RELEASE = (
    update(slice_)
    .where(*_held)
    .values(state=SliceState.READY, owner=None, lease_until=None, attempts=slice_.c.attempts - 1)
)
_WANTED = (
    select(slice_.c.id)
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(*_held, solve.c.state == SolveState.ACTIVE, solve.c.epoch == slice_.c.epoch)
)
_FINISH = (
    update(slice_)
    .where(
        slice_.c.id == bindparam("slice_id"),
        slice_.c.epoch == bindparam("current"),
        slice_.c.state != SliceState.DONE,
    )
    .values(
        state=SliceState.DONE,
        owner=None,
        lease_until=None,
        nodes=bindparam("searched"),
        least_over=bindparam("least"),
        engine=bindparam("by"),
        seconds=bindparam("took"),
        updated_at=bindparam("now"),
    )
)
_SET = (
    update(slice_)
    .where(slice_.c.id == bindparam("slice_id"), slice_.c.attempts == bindparam("attempt"))
    .values(
        state=bindparam("to"),
        owner=None,
        lease_until=None,
        expiries=bindparam("expired"),
        message=func.coalesce(bindparam("reason"), slice_.c.message),
        updated_at=bindparam("now"),
    )
)
_DROP = delete(slice_).where(slice_.c.id == bindparam("slice_id"))
# By name: what is only told what a state is not goes through all that is done.
_unfinished_of = (
    slice_.c.solve_id == bindparam("of_solve"),
    slice_.c.state.in_([state for state in SliceState if state is not SliceState.DONE]),
)
_DROP_ALL = delete(slice_).where(*_unfinished_of)
_COUNTS = (
    select(slice_.c.state, func.count())
    .where(*_unfinished_of, slice_.c.kind != SliceKind.IMPROVE)
    .group_by(slice_.c.state)
)
_FORGET = delete(slice_).where(
    slice_.c.solve_id == bindparam("of_solve"),
    # All there are: an index by state and threshold then leads to the thresholds.
    slice_.c.state.in_(list(SliceState)),
    slice_.c.threshold >= bindparam("lowest"),
)
_CHANGE_ALL = (
    update(slice_)
    .where(
        slice_.c.solve_id == bindparam("of_solve"),
        slice_.c.state == bindparam("current"),
    )
    .values(
        state=bindparam("to"),
        expiries=0,
        attempts=0,
        turn=bindparam("at"),
        updated_at=bindparam("now"),
    )
)
_CHANGE_OLD = _CHANGE_ALL.where(slice_.c.updated_at <= bindparam("latest"))
_ASIDE_MESSAGE = (
    select(slice_.c.message)
    .where(slice_.c.solve_id == bindparam("of_solve"), slice_.c.state == SliceState.ASIDE)
    .limit(1)
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

    def add(self, slices: Sequence[Slice], now: float, lease: Lease | None = None) -> None:
        """Insert slices; those that are leased already have this lease."""
        if slices:
            rows = [write_slice(new, now, lease) for new in slices]
            self._connection.execute(slice_.insert(), rows)

    def next(self, queue: Queue, most: int) -> list[Claim]:
        """Return the slices whose turn it is, locked, past those that others have locked."""
        rows = self._connection.execute(_NEXT, {"queue": queue, "most": most})
        start = len(COLUMNS)
        return [Claim(read_slice(row), Puzzle(*row[start : start + 6]), *row[-2:]) for row in rows]

    def lease(self, ids: Collection[str], owner: str, until: float, now: float) -> None:
        """Claim locked slices; the attempt is counted before it is made."""
        values = {"ids": list(ids), "holder": owner, "until": until, "now": now}
        self._connection.execute(_LEASE, values)

    def renew(self, ids: Collection[str], owner: str, until: float) -> None:
        """Make leases last longer, those that are still held."""
        self._connection.execute(_RENEW, {"ids": list(ids), "holder": owner, "until": until})

    def release(self, ids: Collection[str], owner: str) -> None:
        """Give back slices that were claimed and not begun."""
        self._connection.execute(_RELEASE, {"ids": list(ids), "holder": owner})

    def wanted(self, ids: Collection[str], owner: str) -> set[str]:
        """Return which of these are still held, and still asked for by somebody."""
        values = {"ids": list(ids), "holder": owner}
        return set(self._connection.execute(_WANTED, values).scalars())

    def finish(self, piece: Slice, found: Found, now: float) -> bool:
        """Mark a slice done; False where it was done before, is gone or of another epoch."""
        values = {
            "slice_id": piece.id,
            "current": piece.epoch,
            "searched": found.nodes,
            "least": found.least_over,
            "by": found.engine,
            "took": found.seconds,
            "now": now,
        }
        return self._connection.execute(_FINISH, values).rowcount == 1

    def drop(self, slice_id: str) -> bool:
        """Delete a slice; False where it is gone."""
        return self._connection.execute(_DROP, {"slice_id": slice_id}).rowcount == 1

    def drop_all(self, solve_id: str) -> None:
        """Delete every slice of a solve that is not done."""
        self._connection.execute(_DROP_ALL, {"of_solve": solve_id})

    def forget(self, solve_id: str, threshold: int = 0) -> None:
        """Delete every slice of a solve, or those from a threshold on, done or not."""
        self._connection.execute(_FORGET, {"of_solve": solve_id, "lowest": threshold})

    def expired(self, now: float) -> list[Slice]:
        """Return slices whose lease ran out, at most 100."""
        return [read_slice(row) for row in self._connection.execute(_EXPIRED, {"now": now})]

    def put(
        self, piece: Slice, state: SliceState, expiries: int, now: float, message: str | None = None
    ) -> bool:
        """Change a slice's state unless it was claimed again since it was read."""
        values = {
            "slice_id": piece.id,
            "attempt": piece.attempts,
            "to": state,
            "expired": expiries,
            "reason": message,
            "now": now,
        }
        return self._connection.execute(_SET, values).rowcount == 1

    def counts(self, solve_id: str) -> Mapping[SliceState, int]:
        """Count the slices of a solve that are not done, by state, but for tries to improve."""
        rows = self._connection.execute(_COUNTS, {"of_solve": solve_id})
        return {SliceState(state): count for state, count in rows}

    def change_all(
        self,
        solve_id: str,
        current: SliceState,
        to: SliceState,
        *,
        turn: float,
        now: float,
        latest: float | None = None,
    ) -> int:
        """Change every slice of a solve in one state, or those last touched by a time."""
        values = {"of_solve": solve_id, "current": current, "to": to, "at": turn, "now": now}
        if latest is None:
            return self._connection.execute(_CHANGE_ALL, values).rowcount
        return self._connection.execute(_CHANGE_OLD, values | {"latest": latest}).rowcount

    def aside_message(self, solve_id: str) -> str | None:
        """Return why a slice of a solve was set aside."""
        return self._connection.execute(_ASIDE_MESSAGE, {"of_solve": solve_id}).scalar()

    def first_turn(self, but_of: str | None) -> float | None:
        """Return the first turn in the queue of long searches, but of a solve; None for nobody."""
        return self._connection.execute(_FIRST_TURN, {"but_of": but_of or ""}).scalar()

    def some_ready(self, queue: Queue) -> bool:
        """Whether anything waits in a queue."""
        return self._connection.execute(_SOME, {"queue": queue}).first() is not None

    def ready(self, queue: Queue) -> int:
        """Count the slices that wait in a queue."""
        return self._connection.execute(_READY, {"queue": queue}).scalar_one()
