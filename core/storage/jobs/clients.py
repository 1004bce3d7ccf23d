"""The ``client``, ``api_key`` and ``idempotency`` tables. Only hashes of API keys are stored."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, case, select, update

from tilework.core.errors import ConflictError
from tilework.core.model.webhooks import WebhookSecret
from tilework.core.storage.models import api_key, client, idempotency
from tilework.core.storage.repository import Repository, insert_if_absent

OPERATOR = "operator"
"""The role of the keys of operators."""

_VIEW = select(
    api_key.c.id,
    api_key.c.client_id,
    api_key.c.name,
    api_key.c.created_at,
    api_key.c.revoked_at,
    api_key.c.role,
)
_KEY = _VIEW.where(api_key.c.id == bindparam("id"))
_KEYS = _VIEW.order_by(api_key.c.id)
_CLIENT_KEYS = _KEYS.where(api_key.c.client_id == bindparam("client_id"))
_KEY_CLIENT = select(api_key.c.client_id).where(
    api_key.c.hash == bindparam("hash"), api_key.c.revoked_at.is_(None)
)
_OPERATOR = select(api_key.c.id).where(api_key.c.revoked_at.is_(None), api_key.c.role == OPERATOR)
_REVOKE = (
    update(api_key)
    .where(api_key.c.id == bindparam("key_id"), api_key.c.revoked_at.is_(None))
    .values(revoked_at=bindparam("now"))
)
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
_SECRET = select(client.c.webhook_salt, client.c.webhook_secret_at).where(
    client.c.id == bindparam("id")
)
_SET_SECRET = (
    update(client)
    .where(client.c.id == bindparam("of_client"))
    .values(webhook_salt=bindparam("salt"), webhook_secret_at=bindparam("now"))
)
_EXISTS = select(client.c.id).where(client.c.id == bindparam("id"))
_REQUEST = select(idempotency.c.fingerprint, idempotency.c.job_id, idempotency.c.batch_id).where(
    idempotency.c.client_id == bindparam("client_id"), idempotency.c.key == bindparam("key")
)


@dataclass(frozen=True)
class ApiKeyView:
    """An API key without its secret."""

    id: str
    client_id: str
    name: str
    created_at: float
    revoked_at: float | None
    role: str | None = None


class ClientRepository(Repository):
    """Clients and API keys."""

    def add(self, client_id: str, now: float) -> None:
        """Insert a client unless it exists."""
        insert_if_absent(self._connection, client, {"id": client_id, "created_at": now})

    def exists(self, client_id: str) -> bool:
        """Whether there is such a client."""
        return self._connection.execute(_EXISTS, {"id": client_id}).first() is not None

    def webhook_secret(self, client_id: str) -> WebhookSecret:
        row = self._connection.execute(_SECRET, {"id": client_id}).first()
        return WebhookSecret(None, None) if row is None else WebhookSecret(*row)

    def set_webhook_secret(self, client_id: str, salt: str, now: float) -> None:
        self._connection.execute(_SET_SECRET, {"of_client": client_id, "salt": salt, "now": now})

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
        values = {
            "id": key.id,
            "client_id": key.client_id,
            "name": key.name,
            "hash": hash_,
            "created_at": key.created_at,
            "revoked_at": key.revoked_at,
            "role": key.role,
        }
        self._connection.execute(api_key.insert(), values)

    def key(self, key_id: str) -> ApiKeyView | None:
        row = self._connection.execute(_KEY, {"id": key_id}).first()
        return None if row is None else ApiKeyView(*row)

    def keys(self, client_id: str | None) -> list[ApiKeyView]:
        """Return all keys, or those of a client, oldest first."""
        if client_id is None:
            rows = self._connection.execute(_KEYS)
        else:
            rows = self._connection.execute(_CLIENT_KEYS, {"client_id": client_id})
        return [ApiKeyView(*row) for row in rows]

    def revoke(self, key_id: str, now: float) -> None:
        """Revoke a key; the first revocation counts."""
        self._connection.execute(_REVOKE, {"key_id": key_id, "now": now})

    def is_operator(self, key_id: str) -> bool:
        """Whether this is an active key of an operator."""
        statement = _OPERATOR.where(api_key.c.id == bindparam("id"))
        return self._connection.execute(statement, {"id": key_id}).first() is not None

    def find_operator(self, hash_: str) -> str | None:
        """Return the id of the active operator's key of this hash."""
        statement = _OPERATOR.where(api_key.c.hash == bindparam("hash"))
        return self._connection.execute(statement, {"hash": hash_}).scalar()

    def find_by_hash(self, hash_: str) -> str | None:
        """Return the client with the active key of this hash."""
        return self._connection.execute(_KEY_CLIENT, {"hash": hash_}).scalar()

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

        Call this first in a transaction: a second request with the same key waits here.

        Returns
        -------
        tuple
            The ids of the job and of the batch of an earlier request with this key; both are None
            if the key is new.

        Raises
        ------
        ConflictError
            If the key was used for another request.
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
        earlier = self._connection.execute(_REQUEST, {"client_id": client_id, "key": key}).first()
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
