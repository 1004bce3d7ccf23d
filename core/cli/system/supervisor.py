"""Keeping processes alive until told to stop, and ending them in order; all start in one thread."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

import structlog

from tilework.core.cli.system.reaper import GRACE_S, signal_group

FIRST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 10.0
STEADY_AFTER_S: Final = 5.0
"""A program that ran this long started well: the back-off of its next restart begins again."""


@dataclass(frozen=True)
class Program:
    name: str  # for people, in logs
    command: Sequence[str]
    environment: Mapping[str, str]  # complete
    pass_fds: tuple[int, ...] = ()  # open file descriptors that the process inherits
    # Called with how it ended, if it did so by itself and before it is started again: it may put
    # right what the program cannot start with.
    mend: Callable[[int], object] | None = None


@dataclass
class Child:
    """A program and its process, the leader of a group of its own.

    The group keeps a terminal's Ctrl-C away, so that the supervisor decides the order in which
    things end, and lets grandchildren be ended with it.
    """

    program: Program
    process: subprocess.Popen[bytes] | None = None
    restart_at: float = 0.0
    _started_at: float = 0.0
    _pause_s: float = field(default=FIRST_PAUSE_S)

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
        """Forget the ended process; return the pause in seconds before its next start."""
        self.process = None
        now = time.monotonic()
        if now - self._started_at > STEADY_AFTER_S:
            self._pause_s = FIRST_PAUSE_S
        pause, self._pause_s = self._pause_s, min(self._pause_s * 2, LONGEST_PAUSE_S)
        self.restart_at = now + pause
        return pause


_POLL_S: Final = 0.02

log = structlog.get_logger()


class Supervisor:
    """Starts programs, restarts those that end by themselves, stops all of them at the end.

    `held_fds` stay open until the last process is gone, even where this one is killed.
    """

    def __init__(
        self, held_fds: Sequence[int] = (), restarts: Callable[[str], object] = str
    ) -> None:
        self._restarts = restarts
        self._children: list[Child] = []
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

    def start(self, program: Program) -> Child:
        child = Child(program)
        self._children.append(child)
        self._run(child)
        return child

    def tend(self) -> None:
        """Restart what has ended and whose pause is over; call it a few times a second."""
        for child in self._children:
            code = child.exit_code()
            if code is not None:
                self._sweep(child)
                if child.program.mend is not None:
                    child.program.mend(code)
                self._restarts(child.program.name)
                pause = child.plan_restart()
                log.warning(
                    f"{child.program.name} ended; starting it again",
                    how=describe_exit(code),
                    in_seconds=pause,
                )
            elif child.process is None and time.monotonic() >= child.restart_at:
                self._run(child)

    def restart(self, children: Sequence[Child]) -> None:
        """End programs as `stop` does, and start them again at once."""
        self._end(children)
        for child in children:
            self._run(child)

    def stop(self) -> None:
        """End every process; the first started, which serves the others, goes last."""
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

    def _run(self, child: Child) -> None:
        group = child.start()
        self._tell_reaper(f"+{group}")

    def _sweep(self, child: Child) -> None:
        """End the processes that a dead process has left behind in its group."""
        if child.group is not None:
            signal_group(child.group, signal.SIGKILL)
            self._tell_reaper(f"-{child.group}")

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
            self._sweep(child)
            if child.process is not None:
                child.process.wait()
                child.process = None

    def _tell_reaper(self, line: str) -> None:
        assert self._reaper.stdin is not None  # noqa: S101 -- made with a pipe
        self._reaper.stdin.write(line.encode() + b"\n")
        self._reaper.stdin.flush()


def describe_exit(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
