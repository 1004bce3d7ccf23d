"""Keeping a set of processes alive until told to stop, and ending them all in order.

All starting happens in one thread. Nothing here knows what the programs are.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, Self

import structlog

from tilework.core.cli.system.child import Child, Program
from tilework.core.cli.system.guardian import GRACE_S, signal_group

_POLL_S: Final = 0.02

log = structlog.get_logger()


class Supervisor:
    """Starts programs, restarts those that end by themselves, stops all of them at the end.

    Use as a context manager: leaving it stops everything.

    Parameters
    ----------
    held_fds : sequence of int
        File descriptors (a lock's) to be kept open until the last process is gone, even where
        this process is killed.
    restarts : callable, optional
        Told the name of each program that has ended by itself.
    """

    def __init__(
        self, held_fds: Sequence[int] = (), restarts: Callable[[str], object] = str
    ) -> None:
        self._restarts = restarts
        self._children: list[Child] = []
        self._guardian = subprocess.Popen(
            [sys.executable, "-m", "tilework.core.cli.system.guardian"],
            stdin=subprocess.PIPE,
            pass_fds=tuple(held_fds),
            process_group=0,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, program: Program) -> Child:
        """Start a program and keep it running from now on."""
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
        """End every process: all but the first started together, then the first.

        The first is the server that the others are connected to, so it goes last.
        """
        self._end(self._children[1:])
        self._end(self._children[:1])
        self._children.clear()
        self._guardian.kill()
        self._guardian.wait()
        if self._guardian.stdin is not None:
            self._guardian.stdin.close()

    def kill(self) -> None:
        """End every process at once, without asking."""
        for child in self._children:
            if child.group is not None:
                signal_group(child.group, signal.SIGKILL)

    def _run(self, child: Child) -> None:
        group = child.start()
        self._tell_guardian(f"+{group}")

    def _sweep(self, child: Child) -> None:
        """End the processes that a dead process has left behind in its group."""
        if child.group is not None:
            signal_group(child.group, signal.SIGKILL)
            self._tell_guardian(f"-{child.group}")

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

    def _tell_guardian(self, line: str) -> None:
        assert self._guardian.stdin is not None  # noqa: S101 -- made with a pipe
        self._guardian.stdin.write(line.encode() + b"\n")
        self._guardian.stdin.flush()


def describe_exit(code: int) -> str:
    """Put an exit code of ``subprocess`` into words."""
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
