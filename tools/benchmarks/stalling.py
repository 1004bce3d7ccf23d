"""Clients that let a server wait: half-sent heads, half-sent bodies, answers that are not taken."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection
from threading import Event
from typing import Final

_DRIP_S: Final = 1.0
_LOOK_S: Final = 0.1
_SMALL_WINDOW: Final = 4_096
_CONNECT_S: Final = 5.0
_GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL | select.POLLRDHUP


@dataclass
class Stalled:
    """A connection, and what is dripped into it, a byte at a time."""

    socket: socket.socket
    drip: bytes


@dataclass
class Stallers:
    """Keeps a number of connections stalled: who is cut off comes again.

    Parameters
    ----------
    server : tuple of str and int
    unread : str
        Path of a large answer, which nobody takes.
    wanted : int
        A third each of half-sent heads, of half-sent bodies and of answers that are not taken.
    """

    server: tuple[str, int]
    unread: str
    wanted: int
    opened: int = 0
    refused: int = 0
    _open: dict[int, Stalled] = field(default_factory=dict)
    _kinds: count[int] = field(default_factory=count)

    def run(self, ended: Callable[[], bool], told: Callable[[int], object]) -> None:
        """Stall until told to end; say after each round how many connections are open."""
        poll = select.poll()
        dripped = time.monotonic()
        while not ended():
            while len(self._open) < self.wanted and self._stall(poll):
                pass
            for descriptor, what in poll.poll(_LOOK_S * 1_000):
                if what & _GONE:
                    poll.unregister(descriptor)
                    self._open.pop(descriptor).socket.close()
            if time.monotonic() - dripped > _DRIP_S:
                dripped = time.monotonic()
                for one in self._open.values():
                    with suppress(OSError):
                        one.socket.send(one.drip)
            told(len(self._open))
        for one in self._open.values():
            one.socket.close()

    def _stall(self, poll: select.poll) -> bool:
        kind = next(self._kinds) % 3
        host = f"{self.server[0]}:{self.server[1]}"
        begun = [
            f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nX-Slow: ",
            f"POST /api/v1/jobs HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            'Content-Length: 1000000\r\n\r\n{"board": "1 2 3 4 5 6 7 8 0',
            f"GET {self.unread} HTTP/1.1\r\nHost: {host}\r\n\r\n",
        ][kind]
        made = socket.socket()
        try:
            made.settimeout(_CONNECT_S)
            if kind == 2:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL_WINDOW)
            made.connect(self.server)
            made.sendall(begun.encode())
        except OSError:
            made.close()
            self.refused += 1
            return False
        made.setblocking(False)
        self.opened += 1
        self._open[made.fileno()] = Stalled(made, b"x" if kind < 2 else b"")
        poll.register(made.fileno(), select.POLLRDHUP)
        return True


def stall(
    server: tuple[str, int], unread: str, wanted: int, ended: Event, pipe: Connection
) -> None:
    """Stall in a process of its own; sends through the pipe how many connections are open."""
    Stallers(server, unread, wanted).run(ended.is_set, pipe.send)
