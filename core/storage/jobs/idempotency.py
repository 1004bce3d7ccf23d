"""The ``idempotency`` table: the request of each idempotency key."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from tilework.core.errors import ConflictError
from tilework.core.storage.models import idempotency
from tilework.core.storage.repository import Repository, insert_if_absent

_FIND = select(idempotency.c.fingerprint, idempotency.c.job_id, idempotency.c.batch_id).where(
    idempotency.c.client_id == bindparam("client_id"), idempotency.c.key == bindparam("key")
)


class IdempotencyRepository(Repository):
    """Reads and writes idempotency keys over one connection."""

    def claim(
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
        earlier = self._connection.execute(_FIND, {"client_id": client_id, "key": key}).first()
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
