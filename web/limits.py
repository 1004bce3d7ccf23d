"""How often one client may write, counted by the ``limits`` library."""

from __future__ import annotations

import time
from typing import Any, Final

import structlog
from flask import Flask, request
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import FixedWindowRateLimiter
from werkzeug.exceptions import TooManyRequests

from core.settings import Settings
from web.clients import known_client_id

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

_TIMEOUT_S: Final = 0.3
_PAUSE_S: Final = 5.0
"""After a failure the shared counter is not asked again for this long."""

log = structlog.get_logger()


def install_limits(app: Flask, settings: Settings) -> None:
    """Count the writing requests of each client against the settings' rate.

    Reading is not limited: what it costs is bounded by the waiters' cap and by page sizes.
    """
    rate = parse(settings.rate_limit)
    counter = _Counter(rate, settings.rate_storage_url)

    @app.before_request
    def count() -> None:
        if request.method in SAFE_METHODS:
            return
        # A client without key and cookie could else be a new one each time.
        wait_s = counter.hit(known_client_id() or request.remote_addr or "")
        if wait_s:
            raise TooManyRequests(
                f"This client may make {rate} writing requests.", retry_after=wait_s
            )


class _Counter:
    """Counts in the given storage, and in this process while that is away."""

    def __init__(self, rate: RateLimitItem, url: str) -> None:
        options: dict[str, Any] = {"wrap_exceptions": True}
        if not url.startswith("memory:"):
            options |= {"socket_timeout": _TIMEOUT_S, "socket_connect_timeout": _TIMEOUT_S}
        self._rate = rate
        self._shared = FixedWindowRateLimiter(storage_from_string(url, **options))
        self._own = FixedWindowRateLimiter(MemoryStorage())
        self._away_until = 0.0

    def hit(self, who: str) -> int:
        """Count a request; return 0, or the seconds to wait where it is one too many."""
        if time.monotonic() >= self._away_until:
            try:
                return self._hit(self._shared, who)
            except StorageError as error:
                self._away_until = time.monotonic() + _PAUSE_S
                log.warning("rates are counted by this process alone", error=str(error))
        return self._hit(self._own, who)

    def _hit(self, counter: FixedWindowRateLimiter, who: str) -> int:
        if counter.hit(self._rate, who):
            return 0
        return max(1, round(counter.get_window_stats(self._rate, who).reset_time - time.time()))
