"""Exit codes, and Ctrl-C during a search."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType

from tilework.core.errors import InputError, NotFoundError, TileworkError, UnsolvableError


class ExitCode(IntEnum):
    """The exit codes documented in ``docs/cli.md``."""

    ANSWERED = 0
    NO_SOLUTION = 1
    """The board is unsolvable, or a limit was reached without a solution."""
    BAD_INPUT = 2
    """An invalid board, option, file or job; the message quotes it."""
    UNAVAILABLE = 3
    """A server, database or key that is unavailable or rejected."""
    INTERNAL = 70
    """A bug in Tilework; ``EX_SOFTWARE`` of ``sysexits.h``."""
    INTERRUPTED = 130
    """Ctrl-C: 128 + SIGINT."""
    BROKEN_PIPE = 141
    """The reader of the output closed the pipe: 128 + SIGPIPE."""


def exit_code_for(error: TileworkError) -> ExitCode:
    if isinstance(error, UnsolvableError):
        return ExitCode.NO_SOLUTION
    if isinstance(error, (InputError, NotFoundError)):
        return ExitCode.BAD_INPUT
    return ExitCode.UNAVAILABLE


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed; a second press raises."""
    interrupted = False

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        if interrupted:
            raise KeyboardInterrupt
        interrupted = True

    previous_handler = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: interrupted
    finally:
        signal.signal(signal.SIGINT, previous_handler)
