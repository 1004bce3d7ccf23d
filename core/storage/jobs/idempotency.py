"""The ``idempotency`` table: which request a client's key stands for."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from tilework.core.errors import ConflictError
from tilework.core.storage.models import idempotency
from tilework.core.storage.repository import Repository, insert_if_absent

_FIND = select(idempotency.c.fingerprint, idempotency.c.job_id, idempotency.c.batch_id).where(
    idempotency.c.client_id == bindparam("client_id"), idempotency.c.key == bindparam("key")
)


class IdempotencyRepository(Repository):
    """Idempotency keys of one connection."""

    def claim(
        self,
        client_id: str,
        key: str | None,
        fingerprint: str,
        now: float,
        *,
        job_id: str | None = None,
        batch_id: str | None = None,
    ) -> tuple[str | None, str | None] | None:
        """Register a client's key for a new request, which becomes a job or a batch.

        It comes first in a transaction: of two that send the same key at once, the second waits
        here for the first.

        Returns
        -------
        tuple or None
            The ids of the job and of the batch of the same request, one of them None, where it was
            made before; None where it is new, or there is no key.

        Raises
        ------
        ConflictError
            If the key stands for another request.
        """
        values: dict[str, object] = {
            "client_id": client_id,
            "key": key,
            "fingerprint": fingerprint,
            "job_id": job_id,
            "batch_id": batch_id,
            "created_at": now,
        }
        if key is None or insert_if_absent(self._connection, idempotency, values):
            return None
        earlier = self._connection.execute(_FIND, {"client_id": client_id, "key": key}).first()
        if earlier is None or earlier.fingerprint != fingerprint:
            raise ConflictError(
                "idempotency-key-used",
                "the idempotency key {key!r} was used for another request",
                key=key,
            )
        return earlier.job_id, earlier.batch_id
