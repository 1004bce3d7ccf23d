"""One supervised program: how to start it, and how it ended."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

FIRST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 10.0
STEADY_AFTER_S: Final = 5.0
"""A program that ran this long started well: the back-off of its next restart begins again."""


@dataclass(frozen=True)
class Program:
    """What to run.

    Attributes
    ----------
    name : str
        For people, in logs.
    command : sequence of str
    environment : mapping
        Complete.
    pass_fds : tuple of int
        Open file descriptors that the process inherits.
    mend : callable, optional
        Called with how it ended, if it did so by itself and before it is started again: it may put
        right what the program cannot start with.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    pass_fds: tuple[int, ...] = ()
    mend: Callable[[int], object] | None = None


@dataclass
class Child:
    """A program and its present process, the leader of a process group of its own.

    A group of its own keeps a terminal's Ctrl-C away from it, so that the supervisor decides the
    order in which things end, and lets grandchildren be ended with it.
    """

    program: Program
    process: subprocess.Popen[bytes] | None = None
    restart_at: float = 0.0
    _started_at: float = 0.0
    _pause_s: float = field(default=FIRST_PAUSE_S)

    @property
    def group(self) -> int | None:
        """Number of the process group, None while nothing runs."""
        return None if self.process is None else self.process.pid

    def start(self) -> int:
        """Start the program; return the number of its process group."""
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
        """Return how the process ended, None while it runs or where there is none."""
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
