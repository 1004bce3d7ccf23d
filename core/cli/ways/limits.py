"""What is told where a limit ended a search for all solutions, or for few slides."""

from __future__ import annotations

import sys

from tilework.core.cli import phrases
from tilework.core.cli.exits import ExitCode
from tilework.core.cli.language import say
from tilework.core.search.limits import Statistics, StopReason


def print_stopped(stopped_by: StopReason | None, effort: Statistics) -> None:
    """Say that Ctrl-C ended a search, if it did."""
    if stopped_by is StopReason.CANCELLED:
        note = phrases.interrupted(effort.generated, f"{effort.seconds:.3g}")
        print(say(note), file=sys.stderr)


def code_of(stopped_by: StopReason | None, answered: bool) -> ExitCode:
    """Return the exit code of a search."""
    if stopped_by is StopReason.CANCELLED:
        return ExitCode.INTERRUPTED
    return ExitCode.ANSWERED if answered else ExitCode.NO_SOLUTION
