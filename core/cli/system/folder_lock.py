"""The lock that lets only one system use a data folder."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import Final

from core.errors import OptionError

_POLL_S: Final = 0.05


def lock_folder(folder: Path, patience_s: float) -> int:
    """Claim a data folder for this process and those that inherit the descriptor.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    patience_s : float
        How long to wait where the owner was killed and its processes are still ending.

    Returns
    -------
    int
        An open file descriptor; the claim ends when every copy of it is closed.

    Raises
    ------
    OptionError
        If a running process has the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "up.lock", os.O_RDWR | os.O_CREAT, 0o644)
    deadline = time.monotonic() + patience_s
    while not _try_lock(descriptor):
        owner = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
        if _is_alive(owner) or time.monotonic() > deadline:
            os.close(descriptor)
            raise OptionError(
                f"another “tilework up” (process {owner}) is using the folder “{folder}”; "
                "stop that one first, or give this one another folder with --data-dir"
            )
        time.sleep(_POLL_S)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    return descriptor


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ValueError, ProcessLookupError):
        return False
    return True
