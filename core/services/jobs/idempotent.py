"""Idempotency keys: the same request sent again is the same job."""

from __future__ import annotations

from tilework.core.errors import ConflictError
from tilework.core.model.job_views import EarlierRequest
from tilework.core.storage.session import Session


def claim_key(
    session: Session, client_id: str, key: str | None, request: EarlierRequest, now: float
) -> EarlierRequest | None:
    """Register a client's key for a new request.

    It comes first in a transaction: of two that send the same key at once, the second waits here
    for the first.

    Returns
    -------
    EarlierRequest or None
        The same request, where it was made before; None where it is new, or there is no key.

    Raises
    ------
    ConflictError
        If the key stands for another request.
    """
    if key is None or session.idempotency.claim(client_id, key, request, now):
        return None
    earlier = session.idempotency.find(client_id, key)
    if earlier is None or earlier.fingerprint != request.fingerprint:
        raise ConflictError(
            "idempotency-key-used",
            "the idempotency key {key!r} was used for another request",
            key=key,
        )
    return earlier
