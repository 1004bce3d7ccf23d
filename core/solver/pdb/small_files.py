"""Small text files that other processes read while they are written."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replace a file's text at once: nobody ever reads half of it.

    Raises
    ------
    OSError
        If it cannot be written; what was there stays.
    """
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        fresh.write_text(text)
        os.replace(fresh, path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
