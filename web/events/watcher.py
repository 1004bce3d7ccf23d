"""Waiting for new versions without threads: one query at a time reads those of all streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Final

from tilework.core.failure_log import FailureLog
from tilework.core.services.long_polling import FIRST_PAUSE_S, LAST_PAUSE_S, PAUSE_GROWTH

_LOOK_AHEAD: Final = 0.5
"""Versions whose next read is due within this share of their pause are read already.

So the reads of streams that are opened at different times soon coincide.
"""

ReadVersions = Callable[[Collection[str]], Mapping[str, str]]


class Watch:
    """A version that a stream waits to change. The pause between reads grows with its age."""

    def __init__(self, work_id: str, version: str) -> None:
        self.work_id = work_id
        self.version = version
        self.pause_s = FIRST_PAUSE_S
        self.due = 0.0
        self.is_outdated = asyncio.Event()


class VersionWatcher:
    """Reads the versions of all watches. Its methods run in the event loop of the server.

    Parameters
    ----------
    read_versions : callable
        Returns the versions of the objects that exist, by their ids. It is called in a thread.
    """

    def __init__(self, read_versions: ReadVersions) -> None:
        self._read_versions = read_versions
        self._failures = FailureLog("reading versions")
        self._watches: set[Watch] = set()
        self._has_new_watch = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def wait(self, watch: Watch, seconds: float) -> bool:
        """Wait for a change; return False if there is none within this time.

        It also counts as a change if the object was deleted, or cannot be read.
        """
        watch.is_outdated.clear()
        watch.due = asyncio.get_running_loop().time() + watch.pause_s
        self._watches.add(watch)
        self._has_new_watch.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._read_until_unused())
        try:
            async with asyncio.timeout(seconds):
                await watch.is_outdated.wait()
        except TimeoutError:
            return False
        finally:
            self._watches.discard(watch)
        return True

    async def _read_until_unused(self) -> None:
        loop = asyncio.get_running_loop()
        while self._watches:
            self._has_new_watch.clear()
            delay = min(watch.due for watch in self._watches) - loop.time()
            if delay > 0:
                try:
                    async with asyncio.timeout(delay):
                        await self._has_new_watch.wait()
                except TimeoutError:
                    pass
                else:
                    continue
            now = loop.time()
            await self._read(
                [watch for watch in self._watches if watch.due <= now + _LOOK_AHEAD * watch.pause_s]
            )

    async def _read(self, watches: list[Watch]) -> None:
        versions: Mapping[str, str] = {}
        try:
            ids = {watch.work_id for watch in watches}
            versions = await asyncio.to_thread(self._read_versions, ids)
        except Exception as error:  # the streams end, and their clients receive the error
            self._failures.fail(error)
        else:
            self._failures.succeed()
        now = asyncio.get_running_loop().time()
        for watch in watches:
            if versions.get(watch.work_id) != watch.version:
                watch.is_outdated.set()
            watch.pause_s = min(watch.pause_s * PAUSE_GROWTH, LAST_PAUSE_S)
            watch.due = now + watch.pause_s
