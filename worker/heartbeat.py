"""A file whose age tells a container's health check whether a worker is alive."""

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


def touch_heartbeat_file() -> None:
    """Show that a worker is alive."""
    with suppress(OSError):  # the worker works without the file
        heartbeat_file().touch()


def is_beating(file: Path) -> bool:
    try:
        return time.time() - file.stat().st_mtime < STALE_AFTER_S
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    sys.exit(0 if is_beating(heartbeat_file()) else 1)
