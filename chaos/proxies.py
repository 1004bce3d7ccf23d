"""TCP proxies between the parts of the system, that can misbehave as networks do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_CHUNK: Final = 65_536
_PATIENCE_S: Final = 30.0


class Network:
    """The thread whose loop runs all proxies."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="network")
        self._thread.start()

    def proxy(self, name: str, upstream: int | Path) -> Proxy:
        """Listen on a free port for what is to reach another port, or a socket's file."""
        proxy = Proxy(name, upstream, self._call)
        self._call(proxy.listen())
        return proxy

    def close(self) -> None:
        """End every connection and the thread."""
        self._call(_cancel_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE_S)


class Proxy:
    """One port; what is done to it is done to all connections through it.

    Attributes
    ----------
    name : str
        Who is behind it.
    port : int
        Of 127.0.0.1.
    """

    def __init__(
        self,
        name: str,
        upstream: int | Path,
        call: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self.name = name
        self.port = 0
        self._upstream = upstream
        self._call = call
        self._pairs: set[_Pair] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._delay_s = 0.0
        self._refuses = False

    async def listen(self) -> None:
        """Take a free port."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]

    def delay(self, seconds: float) -> None:
        """Hold every piece of data back for some time; 0 ends it."""
        self._call(self._set(delay_s=seconds))

    def stall(self) -> None:
        """Let no byte pass, in either way, until `flow`."""
        self._call(self._set(flows=False))

    def flow(self) -> None:
        """Let bytes pass, and new connections."""
        self._call(self._set(flows=True, refuses=False))

    def cut(self) -> None:
        """Reset every connection, and all new ones until `flow`."""
        self._call(self._set(refuses=True))
        self._call(self._each(lambda pair: pair.abort()))

    def half_open(self) -> None:
        """Lose the far end of every connection without telling the near one, until `forget`."""
        self._call(self._each(lambda pair: pair.lose()))

    def forget(self) -> None:
        """Tell the near ends of lost connections, as a peer does that knows nothing of them."""
        self._call(self._each(lambda pair: pair.abort() if pair.lost else None))

    async def _set(
        self,
        *,
        delay_s: float | None = None,
        flows: bool | None = None,
        refuses: bool | None = None,
    ) -> None:
        if delay_s is not None:
            self._delay_s = delay_s
        if flows is not None:
            self._flows.set() if flows else self._flows.clear()
        if refuses is not None:
            self._refuses = refuses

    async def _each(self, do: Callable[[_Pair], object]) -> None:
        for pair in list(self._pairs):
            do(pair)

    async def _serve(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        if self._refuses:
            near.transport.abort()
            return
        try:
            far_reader, far = await self._reach()
        except OSError:
            near.transport.abort()
            return
        pair = _Pair(near, far)
        self._pairs.add(pair)
        try:
            await asyncio.gather(self._pump(reader, far, pair), self._pump(far_reader, near, pair))
        except asyncio.CancelledError:
            pass  # all is being closed
        finally:
            self._pairs.discard(pair)
            pair.abort()

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._upstream, Path):
            return await asyncio.open_unix_connection(self._upstream)
        return await asyncio.open_connection("127.0.0.1", self._upstream)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: _Pair
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                if self._delay_s:
                    await asyncio.sleep(self._delay_s)
                await self._flows.wait()
                if not pair.lost:
                    writer.write(data)
                    await writer.drain()
            if not pair.lost:
                writer.write_eof()
        if pair.lost:
            # The near end has heard nothing, and hears nothing until it is told or gives up.
            await pair.told.wait()


class _Pair:
    """Two connections that are one to those at its ends."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.lost = False
        self.told = asyncio.Event()
        self._near = near
        self._far = far

    def lose(self) -> None:
        self.lost = True
        self._far.transport.abort()

    def abort(self) -> None:
        self.told.set()
        self._near.transport.abort()
        self._far.transport.abort()


async def _cancel_all() -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
