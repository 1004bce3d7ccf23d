"""TCP proxies between the parts of the system, which simulate network faults."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

_CHUNK: Final = 65_536
_TIMEOUT_S: Final = 30.0
_NO_LINGER: Final = struct.pack("ii", 1, 0)


class Network:
    """The thread whose loop runs all proxies."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="network")
        self._proxies: list[Proxy] = []
        self._thread.start()

    def proxy(self, name: str, upstream: int | Path) -> Proxy:
        """Listen on a free port, and forward to another port or a Unix socket."""
        proxy = Proxy(name, upstream, self._call)
        self._call(proxy.listen())
        self._proxies.append(proxy)
        return proxy

    def close(self) -> None:
        for proxy in self._proxies:
            self._call(proxy.close())
        self._call(_cancel_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(_TIMEOUT_S)


class Proxy:
    """One port; a fault affects all connections through it."""

    def __init__(
        self, name: str, upstream: int | Path, call: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self.name = name
        self.port = 0
        self._upstream = upstream
        self._call = call
        self._pairs: set[_Pair] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._server: asyncio.Server | None = None
        self._delay_s = 0.0
        self._resets = False

    async def listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for pair in list(self._pairs):
            pair.abort()

    def delay(self, seconds: float) -> None:
        """Delay all data by this time; 0 ends the delay."""
        self._delay_s = seconds

    def stall(self) -> None:
        """Stop all data, in both directions, until `resume`."""
        self._call(self._set_flowing(False))

    def resume(self) -> None:
        self._resets = False
        self._call(self._set_flowing(True))

    def cut(self) -> None:
        """Reset every connection, and all new ones until `resume`."""
        self._resets = True
        self._call(self._for_each(lambda pair: pair.abort()))

    def half_open(self, *, far: bool) -> None:
        """Reset one end of every connection; the other end learns of it only from `reset_lost`."""
        self._call(self._for_each(lambda pair: pair.lose(far)))

    def reset_lost(self) -> None:
        """Reset the remaining ends, as a restarted host does."""
        self._call(self._for_each(lambda pair: pair.abort() if pair.lost else None))

    async def _set_flowing(self, flowing: bool) -> None:
        self._flowing.set() if flowing else self._flowing.clear()

    async def _for_each(self, action: Callable[[_Pair], object]) -> None:
        for pair in list(self._pairs):
            action(pair)

    async def _serve(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        if self._resets:
            _reset(near)
            return
        try:
            far_reader, far = await self._connect_upstream()
        except OSError:
            _reset(near)
            return
        pair = _Pair(near, far)
        self._pairs.add(pair)
        try:
            await asyncio.gather(self._pump(reader, far, pair), self._pump(far_reader, near, pair))
        except asyncio.CancelledError:
            pass  # the network is being closed
        finally:
            self._pairs.discard(pair)
            pair.abort()

    async def _connect_upstream(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._upstream, Path):
            return await asyncio.open_unix_connection(self._upstream)
        return await asyncio.open_connection("127.0.0.1", self._upstream)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: _Pair
    ) -> None:
        try:
            while data := await reader.read(_CHUNK):
                if self._delay_s:
                    await asyncio.sleep(self._delay_s)
                await self._flowing.wait()
                if not pair.lost:
                    writer.write(data)
                    await writer.drain()
            if not pair.lost:
                writer.write_eof()
        except OSError:
            # A process that was killed resets its connection.
            if not pair.lost:
                pair.abort()
        if pair.lost:
            # The other end must not notice anything until `abort`.
            await pair.aborted.wait()


class _Pair:
    """The two connections that the proxy joins."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.lost = False
        self.aborted = asyncio.Event()
        self._near = near
        self._far = far

    def lose(self, far: bool) -> None:
        self.lost = True
        _reset(self._far if far else self._near)

    def abort(self) -> None:
        self.aborted.set()
        _reset(self._near)
        _reset(self._far)


def _reset(writer: asyncio.StreamWriter) -> None:
    """Reset a connection, so that its other end gets an error."""
    if not writer.transport.is_closing():
        connection = writer.get_extra_info("socket")
        if connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        writer.transport.abort()


async def _cancel_all() -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
