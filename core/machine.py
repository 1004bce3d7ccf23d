"""The machine of a process: its folders, processors, memory, and which libraries are installed."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tilework.core.errors import MissingExtraError

_NAME: Final = "tilework"


def user_cache() -> Path:
    """Return the cache folder: ``~/.cache/tilework`` on Linux."""
    from platformdirs import user_cache_path

    return user_cache_path(_NAME, appauthor=False)


def user_databases() -> Path:
    """Return the folder of the pattern databases that commands build and use."""
    return user_cache() / "databases"


def user_state() -> Path:
    """Return the folder for the state of commands: ``~/.local/state/tilework`` on Linux."""
    from platformdirs import user_state_path

    return user_state_path(_NAME, appauthor=False)


_M_ARENA_MAX = -8


def share_arenas() -> None:
    """Let threads share memory arenas; otherwise glibc keeps the peak memory of each thread."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 2)


def release_memory() -> None:
    """Return freed memory to the system, which takes some milliseconds."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def usable_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_MODULES: Final = {
    "pictures": ("cv2", "PIL"),
    "tracing": ("opentelemetry.exporter.otlp.proto.http",),
}


def has_extra(extra: str) -> bool:
    return all(map(_is_installed, _MODULES[extra]))


def require_extra(extra: str) -> None:
    """Raise an error that says how to install an extra, unless its libraries are installed."""
    if not has_extra(extra):
        raise MissingExtraError(
            "missing-extra",
            "this needs libraries that are not installed; install them with: "
            "pip install 'tilework[{extra}]'",
            extra=extra,
        )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a parent package
        return False
