"""The process that ends the others when the supervisor dies without being able to.

The supervisor writes ``+123`` to its standard input when it starts a process group and ``-123``
when that group is gone. However the supervisor ends, the pipe closes, and what is still listed is
ended. ``PR_SET_PDEATHSIG`` is for Linux alone, for the thread that forked, and not for
grandchildren.

Invariant: imports only the standard library's smallest parts, to start at once and stay small.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable

GRACE_S = 4.0
"""The pause between SIGTERM and SIGKILL: time for searches to save their cursors."""

_POLL_S = 0.05


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    end_groups(listed_groups(sys.stdin.buffer), GRACE_S)


def listed_groups(lines: Iterable[bytes]) -> set[int]:
    """Read ``+group`` and ``-group`` lines to their end; return those still on the list."""
    groups: set[int] = set()
    for line in lines:
        group = int(line[1:])
        if line.startswith(b"+"):
            groups.add(group)
        else:
            groups.discard(group)
    return groups


def end_groups(groups: Iterable[int], grace_s: float) -> None:
    """Ask process groups to end, and kill those that have not after a grace time in seconds."""
    living = {group for group in groups if signal_group(group, signal.SIGTERM)}
    deadline = time.monotonic() + grace_s
    while living and time.monotonic() < deadline:
        time.sleep(_POLL_S)
        living = {group for group in living if signal_group(group, 0)}
    for group in living:
        signal_group(group, signal.SIGKILL)


def signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group; False where there is none any more."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS says the latter of zombies
        return False
    return True


if __name__ == "__main__":
    main()
