"""``tilework doctor``: check the database, its schema, the broker, the disk and the processors."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import typer
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from tilework.core.cli.console import ExitCode, show
from tilework.core.errors import TileworkError
from tilework.core.machine import usable_processors
from tilework.core.services.tickets import find_remedy
from tilework.core.settings import Settings, get_settings
from tilework.core.storage.database import (
    Database,
    known_revisions,
    read_revision,
    schema_error,
)

_BROKER_TIMEOUT_S: Final = 8.0
_FAULT_BYTES: Final = 100_000_000
_WARNING_BYTES: Final = 2_000_000_000


class Level(StrEnum):
    """``fault``: something does not work. ``warning``: it works but needs attention."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    subject: str  # what was checked, such as `broker`
    seen: str
    advice: str = ""  # what to do; empty if all is well


def doctor() -> None:
    """Check the database, its schema, the broker, the disk and the processors.

    The exit code is 1 if there is a fault. It works even if parts of the system are down.
    """
    settings = get_settings()
    checks = (_database, _broker, _disk, _cores)
    findings = [finding for check in checks for finding in check(settings)]
    show([asdict(finding) for finding in findings], lambda: _print_findings(findings))
    if any(finding.level is Level.FAULT for finding in findings):
        raise typer.Exit(ExitCode.NO_SOLUTION)


def _print_findings(findings: Iterable[Finding]) -> None:
    for finding in findings:
        print(f"{finding.level:<8}{finding.subject}: {finding.seen}")
        if finding.advice:
            print(f"{'':<10}{finding.advice}")


def _database(settings: Settings) -> Iterator[Finding]:
    url = make_url(settings.database)
    name = url.render_as_string()  # without the password
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        seen = f"there is no file {url.database!r} yet"
        advice = "run `tilework up`, or `tilework db upgrade`"
        yield Finding(Level.WARNING, "database", seen, advice)
        return
    database = Database(settings.database)
    try:
        with database.engine(writes=False).connect() as connection:
            revision = read_revision(connection)
    except (DBAPIError, TileworkError) as error:
        # The driver's message, which does not contain passwords.
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        advice = "start it, or correct TILEWORK_DATABASE_URL; until then, requests get status 503"
        yield Finding(Level.FAULT, "database", f"{name} cannot be used: {reason}", advice)
        return
    finally:
        database.dispose()
    yield Finding(Level.OK, "database", f"{name} responds")
    if revision == known_revisions()[0]:
        yield Finding(Level.OK, "schema", f"at {revision}, as this version requires")
    else:
        seen, advice = str(schema_error(revision)).split("; ")
        yield Finding(Level.FAULT, "schema", seen, advice)


def _broker(settings: Settings) -> Iterator[Finding]:
    """Check the broker of the settings, or that of ``tilework up`` in the data folder."""
    if not settings.broker:
        seen = "none is set, and `tilework up` is not running in the data folder"
        advice = "start `tilework up`, or set TILEWORK_BROKER_URL"
        yield Finding(Level.WARNING, "broker", seen, advice)
        return
    try:
        # A subprocess imports the broker client, so that the command line need not.
        probe = subprocess.run(
            [sys.executable, "-m", "tilework.worker.health_probe"],
            capture_output=True,
            text=True,
            timeout=_BROKER_TIMEOUT_S,
            check=False,
            # Not an argument, because all users of the host can see arguments.
            env=os.environ | {"TILEWORK_BROKER_URL": settings.broker},
        )
    except subprocess.TimeoutExpired:
        reason = f"no answer within {_BROKER_TIMEOUT_S:.0f} s"
    else:
        if probe.returncode == 0:
            yield Finding(Level.OK, "broker", probe.stdout.strip())
            return
        reason = probe.stderr.strip().rpartition("\n")[2]
    name = make_url(settings.broker).render_as_string()
    advice = f"{find_remedy(reason)}; until then nothing is lost, but no work starts"
    yield Finding(Level.FAULT, "broker", f"{name} does not respond: {reason}", advice)


def _disk(settings: Settings) -> Iterator[Finding]:
    folders = {"data folder": settings.data_dir, "pattern databases": settings.pdb_folder}
    if settings.database_folder is not None:
        folders["database"] = settings.database_folder
    for name, path in folders.items():
        folder = path.resolve()
        existing = next(path for path in (folder, *folder.parents) if path.exists())
        free = shutil.disk_usage(existing).free
        seen = f"{free / 1e9:.1f} GB free for the {name} {str(folder)!r}"
        if not os.access(existing, os.W_OK | os.X_OK):
            seen = f"the {name} {str(folder)!r} is not writable by user {os.getuid()}"
            yield Finding(Level.FAULT, "disk", seen, "change its owner or its permissions")
        elif free < _FAULT_BYTES:
            yield Finding(Level.FAULT, "disk", seen, "free some space: nothing more can be stored")
        elif free < _WARNING_BYTES:
            advice = "free some space, or lower TILEWORK_PDB_BUDGET"
            yield Finding(Level.WARNING, "disk", seen, advice)
        else:
            yield Finding(Level.OK, "disk", seen)


def _cores(_settings: Settings) -> Iterator[Finding]:
    usable, all_of_them = usable_processors(), os.cpu_count() or 1
    yield Finding(Level.OK, "cores", f"this process may use {usable} of {all_of_them} processors")
