"""Progress of building pattern databases: the builder writes it, the web application reads it."""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

STALE_AFTER_S = 30.0  # older files belong to builders that were killed

_INTERVAL_S = 1.0


@dataclass(frozen=True, slots=True)
class BuildProgress:
    partition: str  # its title, as in ``5x5 6-6-6-6``
    fraction: float  # from 0 to 1
    started_at: float  # seconds since the epoch


def read_build_progress(folder: Path) -> BuildProgress | None:
    """Return the progress of the build in a folder; None if there is none."""
    file = _progress_file(folder)
    try:
        if time.time() - file.stat().st_mtime > STALE_AFTER_S:
            return None
        values = json.loads(file.read_bytes())
        return BuildProgress(
            str(values["partition"]), float(values["fraction"]), float(values["started_at"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remove_build_progress(folder: Path) -> None:
    """Remove the progress file of a folder."""
    _progress_file(folder).unlink(missing_ok=True)


class BuildProgressFile:
    """Context manager that updates a folder's progress file every second."""

    def __init__(self, folder: Path, partition: str) -> None:
        self._folder = folder
        self._partition = partition
        self._fraction = 0.0
        self._started_at = time.time()
        self._stopped = threading.Event()
        self._writer = threading.Thread(target=self._keep_writing, daemon=True)

    def __call__(self, fraction: float) -> None:
        self._fraction = fraction

    def __enter__(self) -> Self:
        self._write()
        self._writer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._writer.join()
        remove_build_progress(self._folder)

    def _keep_writing(self) -> None:
        while not self._stopped.wait(_INTERVAL_S):
            self._write()

    def _write(self) -> None:
        progress = BuildProgress(self._partition, self._fraction, self._started_at)
        with suppress(OSError):
            write_atomically(_progress_file(self._folder), json.dumps(asdict(progress)).encode())


def _progress_file(folder: Path) -> Path:
    return folder / "building.json"


def write_atomically(path: Path, contents: bytes) -> None:
    """Replace a file's contents atomically."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(contents)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
