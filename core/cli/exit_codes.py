"""How a command ends: its exit code, and Ctrl-C during a search."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType

from tilework.core.errors import InputError, NotFoundError, TileworkError, UnsolvableError


class ExitCode(IntEnum):
    """What a script can rely on; ``docs/cli.md`` has the same table."""

    ANSWERED = 0
    NO_SOLUTION = 1
    """The board is unsolvable, or a limit came before any solution."""
    BAD_INPUT = 2
    """A board, option, file or job that cannot be used; the message quotes it."""
    UNAVAILABLE = 3
    """A server, a database or a key that is not there or refuses."""
    INTERNAL = 70
    """A fault of Tilework itself, as ``sysexits.h`` counts it."""
    INTERRUPTED = 130
    """Ctrl-C, as shells count it."""
    BROKEN_PIPE = 141
    """Whoever read the output went away, as shells count it."""


def exit_code_for(error: TileworkError) -> ExitCode:
    if isinstance(error, UnsolvableError):
        return ExitCode.NO_SOLUTION
    if isinstance(error, (InputError, NotFoundError)):
        return ExitCode.BAD_INPUT
    return ExitCode.UNAVAILABLE


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield whether Ctrl-C was pressed, as a function; a second press raises KeyboardInterrupt."""
    interrupted = False

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        if interrupted:
            raise KeyboardInterrupt
        interrupted = True

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: interrupted
    finally:
        signal.signal(signal.SIGINT, before)
