"""What one client may send: how often, counted together by web processes, and of what signs.

Parsing takes time by what is written, not by bytes: eight megabytes of ``[],[],…`` took three
seconds. So the signs that make values are counted first, which takes some milliseconds.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

import numpy as np
import structlog
from flask import request
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter
from werkzeug.exceptions import TooManyRequests

from tilework.core.messages import Message
from tilework.core.settings import Settings
from tilework.web.clients import known_client_id
from tilework.web.i18n import translate

MEBIBYTE: Final = 2**20
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

_TIMEOUT_S: Final = 0.3
_PAUSE_S: Final = 5.0
"""After a failure the shared counter is not used again for this long."""

log = structlog.get_logger()


def write_limiter(settings: Settings) -> Callable[[], None]:
    """Limit each client's writes; what reading costs is bounded by waiters and page sizes."""
    rate = parse(settings.rate_limit)
    counter = _Counter(rate, settings.rate_storage_url)

    def count() -> None:
        # Otherwise a client without key and cookie could be a new one each time.
        wait_s = counter.hit(known_client_id() or request.remote_addr or "")
        if wait_s:
            message = Message(
                "rate",
                "Too many writing requests from this client; the limit is {rate}.",
                rate=rate,
            )
            raise TooManyRequests(translate(message), retry_after=wait_s)

    return count


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
        now = time.monotonic()
        with self._lock:
            if now >= self._ends:
                self._counts.clear()
                self._ends = now + self._rate.get_expiry()
            self._counts[who] += 1
            if self._counts[who] <= self._rate.amount:
                return 0
            return _whole_seconds(self._ends - now)


SMALL_BYTES: Final = 1 << 16
"""Of a body that can be nothing but cheap; it is not looked at."""

MOST_DIGITS: Final = 18
"""Of one number; longer ones are no machine words, and take time by the square of their digits."""

_PART_BYTES: Final = 1 << 16
_SPARE: Final = 1_000
_CELL_BYTES: Final = 24
_FORM_CELL_BYTES: Final = 12
_FORM_SPARE: Final = 10_000
_FORM_FIELDS: Final = 500
_BATCH_VALUES: Final = 100
_BATCH_LISTS: Final = 16
_BATCH_FIELDS: Final = 4


@dataclass(frozen=True, slots=True)
class BodyLimits:
    size: int  # in bytes
    signs: Mapping[str, int]  # how often each sign may stand in it


def board_json_limits(settings: Settings) -> BodyLimits:
    cells = settings.max_cells
    size = 2 * _CELL_BYTES * cells + SMALL_BYTES
    values = 2 * cells + _SPARE
    return BodyLimits(
        min(size, settings.max_body_bytes),
        {",": values, "[": cells // 2 + _SPARE, ":": _SPARE, "\\": values},
    )


def batch_json_limits(settings: Settings) -> BodyLimits:
    most = settings.max_batch
    values = _BATCH_VALUES * most + _SPARE
    lists, fields = _BATCH_LISTS * most + _SPARE, _BATCH_FIELDS * most + _SPARE
    return BodyLimits(settings.max_body_bytes, {",": values, "[": lists, ":": fields, "\\": values})


def board_form_limits(settings: Settings) -> BodyLimits:
    """Return the bounds of a form with a board and its goal, in which each comma takes a ``%``."""
    cells = settings.max_cells
    size = 2 * _FORM_CELL_BYTES * cells + SMALL_BYTES
    return BodyLimits(
        min(size, settings.max_body_bytes), {"&": _FORM_FIELDS, "%": 2 * cells + _FORM_SPARE}
    )


def find_costly_content(body: bytes, bounds: BodyLimits) -> Message | None:
    """Return which sign stands too often in a body for it to be parsed; None where none does."""
    if len(body) <= SMALL_BYTES:
        return None
    counts = dict.fromkeys(bounds.signs, 0)
    signs = np.frombuffer(body, dtype=np.uint8)
    for begin in range(0, len(signs), _PART_BYTES):
        # Each part with the end of the one before, in which a number may begin.
        if _has_long_number(signs[max(0, begin - MOST_DIGITS) : begin + _PART_BYTES]):
            return Message(
                "body-digits",
                "the body has a number of more than {most} digits; nothing here is that large",
                most=MOST_DIGITS,
            )
        part = signs[begin : begin + _PART_BYTES]
        for sign, most in bounds.signs.items():
            counts[sign] += int(np.count_nonzero(part == ord(sign)))
            if counts[sign] > most:
                return Message(
                    "body-signs",
                    "{sign!r} stands more than {most} times in the body, which no board needs; "
                    "write large boards as text or as one list of tiles, and send no more of them "
                    "at once than are accepted",
                    sign=sign,
                    most=most,
                )
    return None


def _has_long_number(part: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> bool:
    """Whether there are 19 digits in a row: looks for runs of 2, of 4, of 8, of 16, of 19."""
    digits = (part - ord("0")) < 10
    if not digits.any():
        return False
    for step in (1, 2, 4, 8, 3):
        digits = digits[step:] & digits[:-step]
    return bool(digits.any())
