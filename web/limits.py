"""How often one client may write: Flask-Limiter, by client or else by address."""

from __future__ import annotations

import time
from typing import Final

from flask import Flask, current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from core.settings import Settings
from web.clients import known_client_id

_LIMITER: Final = "tilework-limiter"

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def install_limits(app: Flask, settings: Settings) -> None:
    """Count the writing requests of each client against the settings' rate.

    Reading is not limited: what it costs is bounded by the waiters' cap and by page sizes.
    """
    limiter = Limiter(
        _who,
        storage_uri=settings.rate_storage_url,
        # A broker that is away must not take the service with it.
        in_memory_fallback_enabled=True,
        strategy="fixed-window",
        application_limits=[settings.rate_limit],
        application_limits_exempt_when=_reads,
    )
    limiter.init_app(app)
    app.extensions[_LIMITER] = limiter


def seconds_to_wait() -> int:
    """Seconds until the limit that this request hit starts anew, at least 1."""
    limiter: Limiter = current_app.extensions[_LIMITER]
    limit = limiter.current_limit
    return 1 if limit is None else max(1, int(limit.reset_at - time.time()))


def _reads() -> bool:
    return request.method in SAFE_METHODS


def _who() -> str:
    """Whom to count for: a client without key and cookie could else be a new one each time."""
    return known_client_id() or get_remote_address()
