"""Clients, their API keys, requests and history. Only hashes of API keys are stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields

from sqlalchemy import ColumnElement, Table, bindparam, case, select, true, update

from tilework.core.errors import ConflictError
from tilework.core.model.history import EntryKind
from tilework.core.model.tasks import TaskKind
from tilework.core.model.webhooks import WebhookSecret
from tilework.core.storage.models import (
    api_key,
    batch,
    client,
    comparison,
    idempotency,
    job,
    task,
)
from tilework.core.storage.repository import Repository, insert_if_absent

OPERATOR = "operator"
"""The role of the keys of operators."""


@dataclass(frozen=True)
class ApiKeyView:
    """An API key without its secret."""

    id: str
    client_id: str
    name: str
    created_at: float
    revoked_at: float | None
    role: str | None = None


_KEYS = select(*(api_key.c[field.name] for field in fields(ApiKeyView)))
_is_active = api_key.c.revoked_at.is_(None)
_KEY_CLIENT = select(api_key.c.client_id).where(api_key.c.hash == bindparam("hash"), _is_active)
_PRIORITY = select(client.c.priority).where(client.c.id == bindparam("id"))
_current = case(
    (client.c.priority > bindparam("minimum"), client.c.priority), else_=bindparam("minimum")
)
_CHARGE = (
    update(client)
    .where(client.c.id == bindparam("payer"))
    .values(priority=_current + bindparam("amount"))
    .returning(client.c.priority)
)
_EXISTS = select(client.c.id).where(client.c.id == bindparam("id"))
_ENTRIES: Mapping[EntryKind, tuple[Table, ColumnElement[bool]]] = {
    # Jobs of a batch are part of the batch's entry, and those of hints were not submitted.
    EntryKind.JOB: (job, job.c.batch_id.is_(None) & job.c.is_hint.is_(False)),
    EntryKind.BATCH: (batch, true()),
    EntryKind.COMPARISON: (comparison, comparison.c.window.is_(None)),
    EntryKind.LAB: (comparison, comparison.c.window.is_not(None)),
    EntryKind.GAME: (task, task.c.kind == TaskKind.GAME),
    EntryKind.SHORTEST_PATHS: (task, task.c.kind == TaskKind.SHORTEST_PATHS),
}
_is_searched = job.c.finished_at.is_(None)
_SEARCHED: Mapping[EntryKind, ColumnElement[bool]] = {
    EntryKind.JOB: _is_searched,
    EntryKind.BATCH: batch.c.id.in_(
        select(job.c.batch_id).where(job.c.client_id == bindparam("client"), _is_searched)
    ),
}
"""Whether an entry has not ended, for those that can take days."""


class ClientRepository(Repository):
    """Clients and API keys."""

    def add(self, client_id: str, now: float) -> None:
        """Insert a client unless it exists."""
        insert_if_absent(self._connection, client, {"id": client_id, "created_at": now})

    def exists(self, client_id: str) -> bool:
        """Whether there is such a client."""
        return self._connection.execute(_EXISTS, {"id": client_id}).first() is not None

    def webhook_secret(self, client_id: str) -> WebhookSecret:
        row = self._connection.execute(
            select(client.c.webhook_salt, client.c.webhook_secret_at).where(
                client.c.id == client_id
            )
        ).first()
        return WebhookSecret(None, None) if row is None else WebhookSecret(*row)

    def set_webhook_secret(self, client_id: str, salt: str, now: float) -> None:
        self._connection.execute(
            update(client)
            .where(client.c.id == client_id)
            .values(webhook_salt=salt, webhook_secret_at=now)
        )

    def priority(self, client_id: str) -> float:
        """Return the priority of a client's next search."""
        return self._connection.execute(_PRIORITY, {"id": client_id}).scalar() or 0.0

    def charge(self, client_id: str, minimum: float, amount: float) -> float:
        """Increase a client's priority; return the previous one, or `minimum` if it is larger."""
        values = {"payer": client_id, "minimum": minimum, "amount": amount}
        after = self._connection.execute(_CHARGE, values).scalar()
        return minimum if after is None else after - amount

    def add_key(self, key: ApiKeyView, hash_: str) -> None:
        """Insert an API key."""
        self._connection.execute(api_key.insert(), asdict(key) | {"hash": hash_})

    def key(self, key_id: str) -> ApiKeyView | None:
        row = self._connection.execute(_KEYS.where(api_key.c.id == key_id)).first()
        return None if row is None else ApiKeyView(*row)

    def keys(self, client_id: str | None) -> list[ApiKeyView]:
        """Return all keys, or those of a client, oldest first."""
        is_theirs = true() if client_id is None else api_key.c.client_id == client_id
        rows = self._connection.execute(_KEYS.where(is_theirs).order_by(api_key.c.id))
        return [ApiKeyView(*row) for row in rows]

    def revoke(self, key_id: str, now: float) -> None:
        """Revoke a key; the first revocation counts."""
        self._connection.execute(
            update(api_key).where(api_key.c.id == key_id, _is_active).values(revoked_at=now)
        )

    def is_operator(self, key_id: str) -> bool:
        """Whether this is an active key of an operator."""
        return self._find_operator(api_key.c.id == key_id) is not None

    def find_operator(self, hash_: str) -> str | None:
        """Return the id of the active operator's key of this hash."""
        return self._find_operator(api_key.c.hash == hash_)

    def _find_operator(self, condition: ColumnElement[bool]) -> str | None:
        statement = select(api_key.c.id).where(condition, _is_active, api_key.c.role == OPERATOR)
        return self._connection.execute(statement).scalar()

    def find_by_hash(self, hash_: str) -> str | None:
        """Return the client with the active key of this hash."""
        return self._connection.execute(_KEY_CLIENT, {"hash": hash_}).scalar()

    def history(
        self,
        client_id: str,
        kinds: Collection[EntryKind],
        before: str | None,
        limit: int,
        *,
        searched: bool = False,
    ) -> list[tuple[str, EntryKind]]:
        """Return the ids and kinds of a client's entries of some kinds, newest first.

        With ``searched``, only jobs and batches that have not ended. Each table is queried for its
        newest rows by an index. The ids sort by time, also across tables.
        """
        heads = []
        for kind in kinds if not searched else _SEARCHED.keys() & kinds:
            table, condition = _ENTRIES[kind]
            statement = select(table.c.id).where(
                table.c.client_id == bindparam("client"), condition
            )
            if searched:
                statement = statement.where(_SEARCHED[kind])
            if before is not None:
                statement = statement.where(table.c.id < before)
            statement = statement.order_by(table.c.id.desc()).limit(limit)
            ids = self._connection.execute(statement, {"client": client_id}).scalars()
            heads += [(id_, kind) for id_ in ids]
        return sorted(heads, key=lambda head: head[0], reverse=True)[:limit]

    def claim_request(
        self,
        client_id: str,
        key: str,
        fingerprint: str,
        now: float,
        *,
        job_id: str | None = None,
        batch_id: str | None = None,
    ) -> tuple[str | None, str | None]:
        """Register a client's key for a new request, which becomes a job or a batch.

        Call this first in a transaction: a second request with the same key waits here. Return the
        ids of the job and of the batch of an earlier request with this key; both are None if the
        key is new.

        Raises ConflictError if the key was used for another request.
        """
        values: dict[str, object] = {
            "client_id": client_id,
            "key": key,
            "fingerprint": fingerprint,
            "job_id": job_id,
            "batch_id": batch_id,
            "created_at": now,
        }
        if insert_if_absent(self._connection, idempotency, values):
            return None, None
        earlier = self._connection.execute(
            select(idempotency.c.fingerprint, idempotency.c.job_id, idempotency.c.batch_id).where(
                idempotency.c.client_id == client_id, idempotency.c.key == key
            )
        ).first()
        # A batch of one board has the fingerprint of that board.
        if (
            earlier is None
            or earlier.fingerprint != fingerprint
            or (earlier.job_id is None) != (job_id is None)
        ):
            raise ConflictError(
                "idempotency-key-used",
                "the idempotency key {key!r} was used for another request",
                key=key,
            )
        return earlier.job_id, earlier.batch_id
