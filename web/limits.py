"""Limits on requests: the rate of writes per client, and the cost of parsing a body.

The time to parse a body depends on its content, not on its size: eight megabytes of ``[],[],…``
took three seconds. Counting the characters that separate values takes only milliseconds.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final, cast

import numpy as np
from flask import request
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter
from werkzeug.exceptions import TooManyRequests

from tilework.core.logs import FailureLog
from tilework.core.messages import Message
from tilework.core.settings import Settings
from tilework.web.clients import known_client_id
from tilework.web.i18n import translate

MEBIBYTE: Final = 2**20
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

_TIMEOUT_S: Final = 0.3
_PAUSE_S: Final = 5.0
"""How long the shared counter is not used after a failure."""


def make_write_limiter(settings: Settings) -> Callable[[], None]:
    """Return a function that counts a write of the current client.

    Reads are not counted: the number of waiting requests and the size of pages are limited instead.
    """
    rate = parse(settings.rate_limit)
    counter = _Counter(rate, settings.rate_storage_url)

    def count() -> None:
        # Without a key, each request could be a new client, so its address is counted.
        client = known_client_id() if "Authorization" in request.headers else None
        wait_s = counter.hit(client or limited_address(request.remote_addr or ""))
        if wait_s:
            message = Message(
                "rate",
                "Too many write requests from this client; the limit is {rate}.",
                rate=rate,
            )
            raise TooManyRequests(translate(message), retry_after=wait_s)

    return count


class _Counter:
    """Counts in a shared storage, or in this process while that is missing or unreachable."""

    def __init__(self, rate: RateLimitItem, url: str) -> None:
        self._rate = rate
        self._shared: FixedWindowRateLimiter | None = None
        if not url.startswith("memory:"):
            storage = storage_from_string(
                url,
                wrap_exceptions=True,
                socket_timeout=_TIMEOUT_S,
                socket_connect_timeout=_TIMEOUT_S,
            )
            self._shared = FixedWindowRateLimiter(cast(Storage, storage))
        self._failures = FailureLog("counting rates for all processes")
        self._paused_until = 0.0
        # The library's in-memory counter starts a thread every few requests, so it is not used.
        self._counts: Counter[str] = Counter()
        self._window_end = 0.0
        self._lock = threading.Lock()

    def hit(self, client: str) -> int:
        """Count a request. Return 0, or the seconds to wait if it is over the limit."""
        if self._shared is None or time.monotonic() < self._paused_until:
            return self._hit_locally(client)
        try:
            has_room = self._shared.hit(self._rate, client)
            self._failures.succeed()
            if has_room:
                return 0
            reset = self._shared.get_window_stats(self._rate, client).reset_time
        except StorageError as error:
            self._paused_until = time.monotonic() + _PAUSE_S
            self._failures.fail(str(error))
            return self._hit_locally(client)
        return max(1, math.ceil(reset - time.time()))

    def _hit_locally(self, client: str) -> int:
        now = time.monotonic()
        with self._lock:
            if now >= self._window_end:
                self._counts.clear()
                self._window_end = now + self._rate.get_expiry()
            self._counts[client] += 1
            if self._counts[client] <= self._rate.amount:
                return 0
            return max(1, math.ceil(self._window_end - now))


SMALL_BYTES: Final = 1 << 16
"""Bodies up to this size are always cheap to parse, and are not checked."""

MAX_DIGITS: Final = 18
"""The maximum per number. The time to parse a number grows with the square of its length."""

_CHUNK_BYTES: Final = 1 << 16
_EXTRA_VALUES: Final = 1_000
_CELL_BYTES: Final = 24
_FORM_CELL_BYTES: Final = 12
_EXTRA_FORM_CHARACTERS: Final = 10_000
_FORM_FIELDS: Final = 500
_BATCH_VALUES: Final = 100
_BATCH_LISTS: Final = 16
_BATCH_FIELDS: Final = 4


@dataclass(frozen=True, slots=True)
class BodyLimits:
    size: int  # in bytes
    characters: Mapping[str, int]  # how often each character can occur


@lru_cache
def board_json_limits(cells: int, max_bytes: int) -> BodyLimits:
    """Return the limits of a JSON body with a board of up to this many cells, and its goal."""
    size = 2 * _CELL_BYTES * cells + SMALL_BYTES
    values = 2 * cells + _EXTRA_VALUES
    return BodyLimits(
        min(size, max_bytes),
        {",": values, "[": cells // 2 + _EXTRA_VALUES, ":": _EXTRA_VALUES, "\\": values},
    )


def batch_json_limits(settings: Settings) -> BodyLimits:
    max_boards = settings.max_batch
    values = _BATCH_VALUES * max_boards + _EXTRA_VALUES
    lists, fields = (
        _BATCH_LISTS * max_boards + _EXTRA_VALUES,
        _BATCH_FIELDS * max_boards + _EXTRA_VALUES,
    )
    return BodyLimits(settings.max_body_bytes, {",": values, "[": lists, ":": fields, "\\": values})


def board_form_limits(settings: Settings) -> BodyLimits:
    """Return the limits of a form with a board and its goal; its commas are encoded with ``%``."""
    cells = settings.max_cells
    size = 2 * _FORM_CELL_BYTES * cells + SMALL_BYTES
    return BodyLimits(
        min(size, settings.max_body_bytes),
        {"&": _FORM_FIELDS, "%": 2 * cells + _EXTRA_FORM_CHARACTERS},
    )


def find_costly_content(body: bytes, limits: BodyLimits) -> Message | None:
    """Return why a body is too costly to be parsed, or None if it is not."""
    if len(body) <= SMALL_BYTES:
        return None
    counts = dict.fromkeys(limits.characters, 0)
    characters = np.frombuffer(body, dtype=np.uint8)
    for start in range(0, len(characters), _CHUNK_BYTES):
        # The chunks overlap, to find numbers that span two of them.
        if _has_long_number(characters[max(0, start - MAX_DIGITS) : start + _CHUNK_BYTES]):
            return Message(
                "body-digits",
                "the body contains a number of more than {max} digits",
                max=MAX_DIGITS,
            )
        chunk = characters[start : start + _CHUNK_BYTES]
        for character, maximum in limits.characters.items():
            counts[character] += int(np.count_nonzero(chunk == ord(character)))
            if counts[character] > maximum:
                return Message(
                    "body-signs",
                    "the body contains {sign!r} more than {max} times; write large boards as "
                    "text or as one list of tiles, and send fewer boards at once",
                    sign=character,
                    max=maximum,
                )
    return None


def _has_long_number(chunk: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> bool:
    """Whether there are 19 consecutive digits, found by runs of 2, 4, 8, 16 and 19 digits."""
    digits = (chunk - ord("0")) < 10
    if not digits.any():
        return False
    for step in (1, 2, 4, 8, 3):
        digits = digits[step:] & digits[:-step]
    return bool(digits.any())


_PREFIX_LENGTH: Final = 64
"""A host with IPv6 can choose its address within a network of this size."""


def limited_address(address: str) -> str:
    """Return an IPv4 address, or the network of an IPv6 address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((int(parsed), _PREFIX_LENGTH), strict=False))
