"""How much room is left where files are written."""

from __future__ import annotations

import shutil
from pathlib import Path


def free_bytes(folder: Path) -> int | None:
    """Return what this user may still write on a folder's disk; None where that cannot be told."""
    place = folder.resolve()
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return None
