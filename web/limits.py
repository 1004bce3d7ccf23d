"""How often one client may write; where several web processes count together, by ``limits``."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from typing import Final, cast

import structlog
from flask import Flask, request
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter
from werkzeug.exceptions import TooManyRequests

from tilework.core.messages import Message
from tilework.core.settings import Settings
from tilework.web.clients import known_client_id
from tilework.web.i18n import say

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

_TIMEOUT_S: Final = 0.3
_PAUSE_S: Final = 5.0
"""After a failure the shared counter is not used again for this long."""

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
        # Otherwise a client without key and cookie could be a new one each time.
        wait_s = counter.hit(known_client_id() or request.remote_addr or "")
        if wait_s:
            message = Message(
                "rate",
                "Too many writing requests from this client; the limit is {rate}.",
                rate=rate,
            )
            raise TooManyRequests(say(message), retry_after=wait_s)


class _Counter:
    """Counts in the given storage, and in this process while that is unreachable or missing."""

    def __init__(self, rate: RateLimitItem, url: str) -> None:
        self._rate = rate
        self._own = _OwnCounter(rate)
        self._shared = None if url.startswith("memory:") else _shared_counter(url)
        self._away_until = 0.0

    def hit(self, who: str) -> int:
        """Count a request; return 0, or the seconds to wait if it is over the limit."""
        if self._shared is None or time.monotonic() < self._away_until:
            return self._own.hit(who)
        try:
            if self._shared.hit(self._rate, who):
                return 0
            reset = self._shared.get_window_stats(self._rate, who).reset_time
        except StorageError as error:
            self._away_until = time.monotonic() + _PAUSE_S
            log.warning("rates are counted by this process alone", error=str(error))
            return self._own.hit(who)
        return _whole_seconds(reset - time.time())


def _whole_seconds(left_s: float) -> int:
    # Rounded up: who comes again after just so long is not to be refused once more.
    return max(1, math.ceil(left_s))


def _shared_counter(url: str) -> FixedWindowRateLimiter:
    storage = storage_from_string(
        url, wrap_exceptions=True, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S
    )
    return FixedWindowRateLimiter(cast(Storage, storage))


class _OwnCounter:
    """The same for one process; the library's own starts a thread for every few requests."""

    def __init__(self, rate: RateLimitItem) -> None:
        self._rate = rate
        self._counts: Counter[str] = Counter()
        self._ends = 0.0
        self._lock = threading.Lock()

    def hit(self, who: str) -> int:
        """As above; the window is the same for all clients."""
        now = time.monotonic()
        with self._lock:
            if now >= self._ends:
                self._counts.clear()
                self._ends = now + self._rate.get_expiry()
            self._counts[who] += 1
            if self._counts[who] <= self._rate.amount:
                return 0
            return _whole_seconds(self._ends - now)
