"""Statements that claim rows under leases, for slices and for tasks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Table, bindparam, literal, select, update

from tilework.core.model.leases import Holder, Lease
from tilework.core.model.states import SuspensionKind
from tilework.core.storage.models import suspension
from tilework.core.storage.repository import Repository

MAX_EXPIRED = 100
"""Leases revoked in one round of the reconciler."""


class Leases:
    """Statements over a table with ``id``, ``state``, ``owner``, ``lease_until`` and ``attempts``.

    ``waiting``, ``held``: the states of rows that can be claimed, and of rows under lease.
    ``changed``: further values to set at each change of state.
    ``taken``, ``returned``: further values to set when a row is claimed, or released.
    """

    def __init__(
        self,
        table: Table,
        *,
        waiting: str,
        held: str,
        changed: Mapping[str, Any],
        taken: Mapping[str, Any] | None = None,
        returned: Mapping[str, Any] | None = None,
    ) -> None:
        columns = table.c
        among = columns.id.in_(bindparam("ids", expanding=True))
        values = {"owner": None, "lease_until": None, **changed}
        self.ended: Mapping[str, Any] = values
        """The values to set when a lease ends."""
        self.mine: Sequence[ColumnElement[bool]] = (
            columns.id == bindparam("lease_id"),
            columns.state == held,
            columns.owner == bindparam("lease_owner"),
            columns.attempts == bindparam("lease_attempts"),
        )
        """The condition for the holder to change a row; see `lease_values`."""
        self.take = (
            update(table)
            .where(among, columns.state == waiting)
            .values(
                state=held,
                owner=bindparam("holder"),
                lease_until=bindparam("until"),
                attempts=columns.attempts + 1,
                **changed,
                **(taken or {}),
            )
        )
        # Skips locked rows: waiting for one while holding others could deadlock with a transaction
        # that ends several rows in another order. The next renewal comes soon enough.
        free = select(columns.id).where(*self.mine).with_for_update(skip_locked=True)
        self.renew = (
            update(table)
            .where(columns.id.in_(free.correlate(None)))
            .values(lease_until=bindparam("until"))
        )
        self.release = (
            update(table)
            .where(*self.mine)
            .values(state=waiting, attempts=columns.attempts - 1, **values, **(returned or {}))
        )
        # This changes no value but locks the row, so that the lease cannot be renewed before the
        # transaction ends.
        self.overdue = (
            update(table)
            .where(*self.mine, columns.lease_until < bindparam("now"))
            .values(lease_until=columns.lease_until)
        )
        self.is_held = select(literal(1)).where(*self.mine)


class LeasedRepository(Repository):
    """A repository whose rows are claimed under leases."""

    leases: ClassVar[Leases]

    def lease(self, ids: Collection[str], holder: Holder, now: float) -> None:
        """Claim locked rows and count the attempt."""
        values = {"ids": list(ids), "holder": holder.owner, "until": holder.until, "now": now}
        self._connection.execute(self.leases.take, values)

    def renew(self, leases: Sequence[Lease], until: float) -> None:
        """Renew the leases that are still held, skipping rows that are about to end."""
        if leases:
            values = [lease_values(lease) | {"until": until} for lease in leases]
            self._connection.execute(self.leases.renew, values)

    def release(self, leases: Sequence[Lease], now: float) -> None:
        """Release rows without counting the attempt."""
        if leases:
            values = [lease_values(lease) | {"now": now} for lease in leases]
            self._connection.execute(self.leases.release, values)

    def is_held(self, lease: Lease) -> bool:
        """Whether a lease is still held, which it is not once its row is done."""
        row = self._connection.execute(self.leases.is_held, lease_values(lease)).first()
        return row is not None

    def is_overdue(self, lease: Lease, now: float) -> bool:
        """Whether a lease has expired. If so, it cannot be renewed before the transaction ends."""
        values = lease_values(lease) | {"now": now}
        return self._connection.execute(self.leases.overdue, values).rowcount == 1


def lease_values(lease: Lease) -> dict[str, object]:
    """Return the values that `Leases.mine` compares."""
    return {"lease_id": lease.id, "lease_owner": lease.owner, "lease_attempts": lease.attempts}


def is_open(queue: str) -> ColumnElement[bool]:
    """Return the condition that no operator has suspended a queue, whose name is this parameter."""
    is_suspended = (suspension.c.kind == SuspensionKind.QUEUE) & (
        suspension.c.name == bindparam(queue)
    )
    return ~select(suspension.c.name).where(is_suspended).exists()
