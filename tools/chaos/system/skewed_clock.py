"""A worker whose system clock is wrong and jumps, with libfaketime."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tilework.core.cli.processes import worker_command

_FOLDERS: Final = ("/usr/lib", "/usr/lib64", "/usr/local/lib")
_MODULE: Final = "tests.system.faults.skewed_worker"


def is_available() -> bool:
    return _find_library() is not None


def make_command(queues: Sequence[str], name: str) -> list[str]:
    return [sys.executable, "-m", _MODULE, *worker_command(queues, name)[3:]]


def make_environment(clock: Path) -> dict[str, str]:
    return {
        "LD_PRELOAD": str(_find_library()),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        # Read the file again every second.
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def set_clock(file: Path, seconds: float) -> None:
    file.write_text(f"{seconds:+.1f}\n", encoding="utf-8")


def _find_library() -> Path | None:
    for folder in _FOLDERS:
        for path in sorted(Path(folder).glob("**/faketime/libfaketime.so.1")):
            return path
    return None
