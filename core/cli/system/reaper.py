"""The process that ends all others if the supervisor is killed.

The supervisor writes ``+123`` to the reaper's standard input when it starts a process group and
``-123`` when that group has ended. However the supervisor ends, the pipe closes, and the reaper
ends the remaining groups. ``PR_SET_PDEATHSIG`` is no alternative: it exists only on Linux, refers
to the forking thread, and does not reach grandchildren.

Invariant: this module imports only small parts of the standard library, to start fast and use
little memory.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable

GRACE_S = 4.0
"""The time between SIGTERM and SIGKILL, in which searches save their cursors."""

_POLL_S = 0.05


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    end_groups(read_groups(sys.stdin.buffer), GRACE_S)


def read_groups(lines: Iterable[bytes]) -> set[int]:
    """Read ``+group`` and ``-group`` lines, and return the remaining groups."""
    groups: set[int] = set()
    for line in lines:
        group = int(line[1:])
        if line.startswith(b"+"):
            groups.add(group)
        else:
            groups.discard(group)
    return groups


def end_groups(groups: Iterable[int], grace_s: float) -> None:
    """Terminate process groups, and kill those that are left after the grace time."""
    alive = {group for group in groups if signal_group(group, signal.SIGTERM)}
    deadline = time.monotonic() + grace_s
    while alive and time.monotonic() < deadline:
        time.sleep(_POLL_S)
        alive = {group for group in alive if signal_group(group, 0)}
    for group in alive:
        signal_group(group, signal.SIGKILL)


def signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group; return False if it no longer exists."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS raises the latter for zombies
        return False
    return True


if __name__ == "__main__":
    main()
