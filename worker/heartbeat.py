"""Files whose age tells a health check whether a worker is alive, and whether it can take work.

A worker that cannot reach its broker is alive: a restart would not help.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

STALE_AFTER_S: Final = 30.0


def heartbeat_file() -> Path:
    """Return the heartbeat file, shared by all workers of a user on a host or in a container."""
    return Path(tempfile.gettempdir()) / f"tilework-worker-{os.getuid()}.heartbeat"


def connection_file() -> Path:
    """Return the file of the last moment with a connection to the broker."""
    return heartbeat_file().with_suffix(".connection")


def touch_heartbeat_files(is_connected: bool) -> None:
    """Show that a worker is alive, and whether it is connected to the broker."""
    with suppress(OSError):  # the worker works without the files
        if is_connected:
            connection_file().touch()
        heartbeat_file().touch()


def is_beating(file: Path) -> bool:
    try:
        return time.time() - file.stat().st_mtime < STALE_AFTER_S
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    sys.exit(0 if is_beating(heartbeat_file()) else 1)
