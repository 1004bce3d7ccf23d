"""A PostgreSQL that hangs is noticed within a second, and nobody waits for it after that.

A server that was stopped, or is behind a network that delivers nothing, keeps its connections and
takes what is sent to it: neither the system nor the driver tells it from one that is busy. So who
has waited for a moment asks the server for a word that it gives without working, and where not
even that comes, all give up.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from psycopg import Connection, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.pq import Conninfo

PATIENCE_S: Final = 0.2
"""For an answer, before the server is asked whether it is there."""

ASK_S: Final = 0.4
"""For its word."""

REST_S: Final = 1.0
"""A server that hangs is asked again after this; until then nobody waits for it."""

_ALIVE_S: Final = 0.2
"""For so long one answer stands for all who wait."""

PING_S: Final = 0.4
"""Longest for a connection out of the pool to show that it is still one."""

_TICK_S: Final = 0.05
# Anything that understands the protocol answers it with one byte, before it knows who asks.
_SSL_REQUEST: Final = bytes((0, 0, 0, 8, 4, 210, 22, 47))

Address = tuple[str, int] | str
"""Of a host and a port, or of a socket's file."""


class ConnectionWatchdog:
    """Whether a server answers; for all connections of a process, and any number of threads.

    ``addresses``: where it may be; one that answers is enough. Without any it is taken to answer.
    """

    def __init__(self, addresses: Sequence[Address]) -> None:
        self._addresses = addresses
        self._asking = threading.Lock()
        self._is_silent = False
        self._asked = 0.0

    def still_hangs(self) -> bool:
        """Whether the server was found to hang and has not answered since."""
        return self._is_silent and self.hangs()

    def hangs(self) -> bool:
        """Ask the server, unless it was asked a moment ago or another thread does just now."""
        rest_s = REST_S if self._is_silent else _ALIVE_S
        if time.monotonic() - self._asked > rest_s and self._asking.acquire(blocking=False):
            try:
                self._ask()
            finally:
                self._asking.release()
        return self._is_silent

    def hangs_now(self) -> bool:
        """Ask the server, unless it has just been found to hang."""
        began = time.monotonic()
        with self._asking:
            if self._asked < began and not (
                self._is_silent and time.monotonic() - self._asked < REST_S
            ):
                self._ask()
        return self._is_silent

    def is_silent(self) -> bool:
        """Whether it hung when it was asked last."""
        return self._is_silent

    def _ask(self) -> None:
        self._asked = time.monotonic()
        self._is_silent = bool(self._addresses) and not any(map(_answers, self._addresses))


class WatchedConnection(Connection[Any]):
    """A connection whose waits end when its server hangs.

    ``watchdog``: of its server.
    ``is_lent``: whether it is out of its pool. Before that it has only to show that it is still
        connected.
    """

    watchdog: ConnectionWatchdog
    is_lent = True

    def wait(self, gen: PQGen[RV], interval: float = _TICK_S, timeout: float | None = None) -> RV:
        """Wait as psycopg does."""
        return super().wait(self._watched(gen), min(interval, _TICK_S), timeout)

    def _watched(self, gen: PQGen[RV]) -> PQGen[RV]:
        began = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                wanted = gen.send(ready)
                if not ready and self._is_in_vain(time.monotonic() - began):
                    # What was asked may be answered at any time, when nobody knows the question.
                    self.close()
                    raise _silence()
        except StopIteration as end:
            found: RV = end.value
            return found

    def _is_in_vain(self, seconds: float) -> bool:
        return (
            self.watchdog.is_silent()
            or (seconds > PATIENCE_S and self.watchdog.hangs())
            or (seconds > PING_S and not self.is_lent)
        )


def connect(watchdog: ConnectionWatchdog, parameters: Mapping[str, Any]) -> WatchedConnection:
    """Connect, unless the server hangs.

    Raises psycopg.OperationalError if it does, or cannot be connected to.
    """
    # The driver gives up after two seconds at the earliest.
    if watchdog.hangs_now():
        raise _silence()
    connection = WatchedConnection.connect(**parameters)
    connection.watchdog = watchdog
    return connection


def parse_addresses(parameters: Mapping[str, Any]) -> list[Address]:
    """Return the addresses in parameters for a connection; none where only libpq knows them."""
    said = {
        option.keyword.decode(): option.val.decode()
        for option in Conninfo.get_defaults()
        if option.val
    } | {name: str(value) for name, value in parameters.items() if value}
    hosts = (said.get("hostaddr") or said.get("host", "")).split(",")
    ports = said.get("port", "5432").split(",")
    if len(ports) != len(hosts):
        ports = ports[:1] * len(hosts)
    if not all(hosts) or "service" in said:
        return []
    return [
        f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, int(port))
        for host, port in zip(hosts, ports, strict=True)
    ]


def _answers(address: Address) -> bool:
    try:
        if isinstance(address, str):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(ASK_S)
                connection.connect(address)
                return _asked(connection)
        with socket.create_connection(address, ASK_S) as connection:
            return _asked(connection)
    except (TimeoutError, BlockingIOError):
        return False
    except OSError:
        # It is down, which whoever connects to it is told at once.
        return True


def _asked(connection: socket.socket) -> bool:
    connection.sendall(_SSL_REQUEST)
    connection.recv(1)
    return True


def _silence() -> OperationalError:
    return OperationalError("the server does not answer")
