"""The ``callback`` table: calls to be made because a job has ended."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, literal, select, update

from tilework.core.model.leases import CallbackClaim, Holder, Lease
from tilework.core.model.states import CallbackState, new_id
from tilework.core.storage.leases import Leases, token
from tilework.core.storage.models import callback

_LEASES = Leases(
    callback,
    waiting=CallbackState.WAITING,
    held=CallbackState.CALLING,
    changed={"due_at": bindparam("now")},
)
_due = (callback.c.state == CallbackState.WAITING, callback.c.due_at <= bindparam("now"))
_SOME_DUE = select(literal(1)).where(*_due).limit(1)
_NEXT = (
    select(
        callback.c.id,
        callback.c.attempts,
        callback.c.job_id,
        callback.c.url,
        callback.c.created_at,
    )
    .where(*_due)
    .order_by(callback.c.due_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_DROP = delete(callback).where(*_LEASES.mine)
_RETRY = update(callback).where(*_LEASES.mine).values(state=CallbackState.WAITING, **_LEASES.ended)
_ADD = insert(callback)


class StoredCallbacks:
    """Calls of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, job_id: str, url: str, now: float) -> None:
        """Insert a call for a job that ends in this transaction."""
        values = {
            "id": new_id(),
            "job_id": job_id,
            "state": CallbackState.WAITING,
            "due_at": now,
            "attempts": 0,
            "created_at": now,
            "url": url,
        }
        self._connection.execute(_ADD, values)

    def some_due(self, now: float) -> bool:
        """Whether the time of a call has come."""
        return self._connection.execute(_SOME_DUE, {"now": now}).first() is not None

    def claim(self, holder: Holder, now: float, most: int) -> list[CallbackClaim]:
        """Lease calls whose time has come, past those that others have locked."""
        rows = self._connection.execute(_NEXT, {"now": now, "most": most}).all()
        if rows:
            _LEASES.take(self._connection, [row.id for row in rows], holder, now)
        return [
            CallbackClaim(Lease(id_, holder.owner, attempts + 1), *call)
            for id_, attempts, *call in rows
        ]

    def drop(self, lease: Lease) -> None:
        """Delete a call that is still held."""
        self._connection.execute(_DROP, token(lease))

    def retry(self, lease: Lease, at: float) -> None:
        """Let a call that is still held be made again at a time."""
        self._connection.execute(_RETRY, token(lease) | {"now": at})

    def expired(self, now: float) -> list[Lease]:
        """Return leases that ran out, at most 100."""
        return _LEASES.expired(self._connection, now)

    def overdue(self, lease: Lease, now: float) -> bool:
        """Whether a lease has run out, and stays so until the transaction ends."""
        return _LEASES.overdue(self._connection, lease, now)
