"""Detects within a second that a PostgreSQL server hangs, so that no request waits for it.

The connections of a suspended or unreachable server stay open, and neither the operating system nor
the driver can distinguish it from a busy server. If a connection has waited for a moment, a probe
is sent that any server answers immediately. If there is no answer, all connections are closed.
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
"""How long a statement waits before the server is probed."""

PROBE_TIMEOUT_S: Final = 0.4

RETRY_S: Final = 1.0
"""How long a failed probe is valid. Until then, nothing waits for the server."""

_VALID_S: Final = 0.2
"""How long a successful probe is valid."""

PING_S: Final = 0.4
"""How long a pooled connection has to show that it is alive."""

_TICK_S: Final = 0.05
# Every server answers this message with one byte, before authentication.
_SSL_REQUEST: Final = bytes((0, 0, 0, 8, 4, 210, 22, 47))

Address = tuple[str, int] | str
"""A host and a port, or the path of a socket."""


class ConnectionWatchdog:
    """Probes a server for all connections and threads of a process.

    ``addresses``: the possible addresses of the server. If none of them answers, the server hangs;
        if the list is empty, it is assumed to answer.
    """

    def __init__(self, addresses: Sequence[Address]) -> None:
        self._addresses = addresses
        self._probing = threading.Lock()
        self.last_probe_failed = False
        self._probed_at = 0.0

    def still_hangs(self) -> bool:
        """If the server was found to hang, check whether it still does."""
        return self.last_probe_failed and self.probe_if_due()

    def probe_if_due(self) -> bool:
        """Return whether the server hangs; use the last result if it is recent or being updated."""
        valid_s = RETRY_S if self.last_probe_failed else _VALID_S
        if time.monotonic() - self._probed_at > valid_s and self._probing.acquire(blocking=False):
            try:
                self._probe()
            finally:
                self._probing.release()
        return self.last_probe_failed

    def probe_now(self) -> bool:
        """Probe the server, unless it was just found to hang; return whether it hangs."""
        started = time.monotonic()
        with self._probing:
            if self._probed_at < started and not (
                self.last_probe_failed and time.monotonic() - self._probed_at < RETRY_S
            ):
                self._probe()
        return self.last_probe_failed

    def _probe(self) -> None:
        self._probed_at = time.monotonic()
        self.last_probe_failed = bool(self._addresses) and not any(map(_answers, self._addresses))


class WatchedConnection(Connection[Any]):
    """A connection that stops waiting when its server hangs.

    ``is_checked_out``: whether it is in use. If not, the pool is checking that it is alive, which
        takes `PING_S` at most.
    """

    watchdog: ConnectionWatchdog
    is_checked_out = True

    def wait(self, gen: PQGen[RV], interval: float = _TICK_S, timeout: float | None = None) -> RV:
        return super().wait(self._watched(gen), min(interval, _TICK_S), timeout)

    def _watched(self, gen: PQGen[RV]) -> PQGen[RV]:
        started = time.monotonic()
        try:
            events = next(gen)
            while True:
                ready = yield events
                events = gen.send(ready)
                if not ready and self._should_stop(time.monotonic() - started):
                    # A late reply would be mistaken for the reply to another statement.
                    self.close()
                    raise _no_answer()
        except StopIteration as end:
            result: RV = end.value
            return result

    def _should_stop(self, seconds: float) -> bool:
        return (
            self.watchdog.last_probe_failed
            or (seconds > PATIENCE_S and self.watchdog.probe_if_due())
            or (seconds > PING_S and not self.is_checked_out)
        )


def connect(watchdog: ConnectionWatchdog, parameters: Mapping[str, Any]) -> WatchedConnection:
    """Connect; raise psycopg.OperationalError if the server hangs or the connection fails."""
    # The driver's shortest timeout is two seconds, so a hanging server is detected first.
    if watchdog.probe_now():
        raise _no_answer()
    connection = WatchedConnection.connect(**parameters)
    connection.watchdog = watchdog
    return connection


def parse_addresses(parameters: Mapping[str, Any]) -> list[Address]:
    """Return the server's addresses, or none if only libpq knows them; then it is not probed."""
    settings = {
        option.keyword.decode(): option.val.decode()
        for option in Conninfo.get_defaults()
        if option.val
    } | {name: str(value) for name, value in parameters.items() if value}
    hosts = (settings.get("hostaddr") or settings.get("host", "")).split(",")
    ports = settings.get("port", "5432").split(",")
    if len(ports) != len(hosts):
        ports = ports[:1] * len(hosts)
    if not all(hosts) or "service" in settings:
        return []
    return [
        f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, int(port))
        for host, port in zip(hosts, ports, strict=True)
    ]


def _answers(address: Address) -> bool:
    try:
        if isinstance(address, str):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(PROBE_TIMEOUT_S)
                connection.connect(address)
                _send_probe(connection)
        else:
            with socket.create_connection(address, PROBE_TIMEOUT_S) as connection:
                _send_probe(connection)
    except (TimeoutError, BlockingIOError):
        return False
    except OSError:
        # A server that is down rejects connections immediately, so nothing waits for it.
        return True
    return True


def _send_probe(connection: socket.socket) -> None:
    connection.sendall(_SSL_REQUEST)
    connection.recv(1)


def _no_answer() -> OperationalError:
    return OperationalError("the server does not answer")
