"""Limits on the requests that are processed and the downloads that are sent at the same time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tilework.web.server.connections import Connection

MAX_CONCURRENT: Final = 16
MAX_PER_ADDRESS: Final = 4

MAX_BATCHES: Final = 4
MAX_BATCHES_PER_ADDRESS: Final = 2
"""Storing a batch takes seconds, mostly pauses, so batches have slots of their own."""

MAX_STREAM_PARTS: Final = 4
MAX_STREAM_PARTS_PER_ADDRESS: Final = 1
"""A thousand streams may have a part due at the same time, so requests do not queue behind them."""


@dataclass
class _AddressSlots:
    semaphore: asyncio.Semaphore
    users: int = 0


class RequestLimiter:
    """Limits the requests processed at the same time, in total and per address, in FIFO order.

    Threads share one processor, so more of them would only delay each other.
    """

    def __init__(self, total: int, per_address: int) -> None:
        self._all = asyncio.Semaphore(total)
        self._per_address = per_address
        self._by_address: dict[str, _AddressSlots] = {}

    @asynccontextmanager
    async def acquire_slot(self, address: str) -> AsyncIterator[None]:
        slots = self._by_address.setdefault(
            address, _AddressSlots(asyncio.Semaphore(self._per_address))
        )
        slots.users += 1
        try:
            async with slots.semaphore, self._all:
                yield
        finally:
            slots.users -= 1
            if not slots.users:
                del self._by_address[address]


MAX_DOWNLOADS: Final = 15
"""Below the limit of buffered bytes, so that a download is only dropped if another one waits."""

STALLED_S: Final = 1.0
"""How long a client must be behind before its download is dropped in favour of another."""

_CHECK_INTERVAL_S: Final = 0.1

_DOWNLOAD_PATH: Final = re.compile(
    r"/api/v1/(?:(?:jobs|batches)/[0-9a-fA-F-]+/(?:solution|certificate|results)|solutions)"
)


class DownloadLimiter:
    """Limits the unfinished downloads, in FIFO order; a stalled one is dropped if another waits.

    An unfinished download uses memory, and one that waits does not.
    """

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(MAX_DOWNLOADS)
        self._active: dict[Connection, None] = {}

    @asynccontextmanager
    async def acquire_slot(self, path: str, connection: Connection) -> AsyncIterator[None]:
        if _DOWNLOAD_PATH.fullmatch(path) is None:
            yield
            return
        acquiring = asyncio.create_task(self._slots.acquire())
        try:
            while not (await asyncio.wait([acquiring], timeout=_CHECK_INTERVAL_S))[0]:
                remaining = [entry for entry in self._active if not entry.is_lost]
                if len(remaining) >= MAX_DOWNLOADS:
                    connection.pool.drop_slowest(remaining, STALLED_S)
            self._active[connection] = None
            yield
        finally:
            self._active.pop(connection, None)
            if not acquiring.cancel():
                self._slots.release()
