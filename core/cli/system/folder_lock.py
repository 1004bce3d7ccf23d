"""The lock of a data folder, which only one system may use."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import lock_descriptor

from tilework.core.errors import OptionError

_POLL_S: Final = 0.05


def lock_folder(folder: Path, timeout_s: float) -> int:
    """Lock a data folder until every copy of the returned descriptor is closed.

    Wait up to `timeout_s` if the owner was killed and its processes are still shutting down.
    """
    require_writable(folder)
    lock = folder / "up.lock"
    with report_write_errors(lock):  # it may belong to another user
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    deadline = time.monotonic() + timeout_s
    while not lock_descriptor(descriptor, blocking=False):
        owner = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
        if _is_alive(owner) or time.monotonic() > deadline:
            os.close(descriptor)
            raise OptionError(
                "folder-in-use",
                "the folder {folder!r} is in use by another tilework up (process {process}); "
                "stop that one first, or choose another folder with --data-dir",
                folder=folder,
                process=owner,
            )
        time.sleep(_POLL_S)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    return descriptor


def require_writable(folder: Path) -> None:
    """Create a data folder if necessary, and check that files can be written in it."""
    with report_write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")


@contextmanager
def report_write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OptionError(
            "folder-read-only",
            "{path!r} is not writable ({reason}); choose another folder with TILEWORK_DATA_DIR",
            path=path,
            reason=error.strerror or type(error).__name__,
        ) from None


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ValueError, ProcessLookupError):
        return False
    return True
