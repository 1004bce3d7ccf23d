"""The ``idempotency`` table: which request a client's key stands for."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from tilework.core.model.job_views import EarlierRequest
from tilework.core.storage.insertion import insert_if_absent
from tilework.core.storage.models import idempotency

_FIND = select(idempotency.c.fingerprint, idempotency.c.job_id, idempotency.c.batch_id).where(
    idempotency.c.client_id == bindparam("client_id"), idempotency.c.key == bindparam("key")
)


class StoredIdempotency:
    """Idempotency keys of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, client_id: str, key: str) -> EarlierRequest | None:
        """Return the request that a key stands for."""
        row = self._connection.execute(_FIND, {"client_id": client_id, "key": key}).first()
        return None if row is None else EarlierRequest(*row)

    def claim(self, client_id: str, key: str, request: EarlierRequest, now: float) -> bool:
        """Register a key for a request; False where it is registered already."""
        values: dict[str, object] = {
            "client_id": client_id,
            "key": key,
            "fingerprint": request.fingerprint,
            "job_id": request.job_id,
            "batch_id": request.batch_id,
            "created_at": now,
        }
        return insert_if_absent(self._connection, idempotency, values)
