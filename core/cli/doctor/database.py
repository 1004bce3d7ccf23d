"""Checks of the database: connection, schema, clock, workers."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, make_url
from sqlalchemy.exc import DBAPIError

from tilework.core.cli.doctor.command import Finding, fault, ok, warning
from tilework.core.errors import TileworkError
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.settings import Settings
from tilework.core.storage.database import REPORTED_SKEW_S, Database
from tilework.core.storage.revisions import Schema, head_revision, read_schema

_LONG_LOG_BYTES: Final = 100_000_000


def database(settings: Settings) -> Iterator[Finding]:
    url = make_url(settings.database)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        seen = f"there is no file {url.database!r} yet"
        yield warning("database", seen, "run `tilework up`, or `tilework db upgrade`")
        return
    db = Database(settings.database)
    try:
        with db.engine(writes=False).connect() as connection:
            yield ok(
                "database", f"{_describe_server(connection)} responds at {url.render_as_string()}"
            )
            yield _check_schema(connection)
            current = read_schema(connection) is Schema.CURRENT
        if db.dialect == "sqlite":
            yield from _check_log(Path(f"{url.database}-wal"))
        else:
            yield _check_clock(db)
        if current:
            yield from _check_workers(db)
    except (DBAPIError, TileworkError) as error:
        # The driver's message, which does not contain passwords.
        reason = getattr(error, "orig", None) or error
        seen = (
            f"{url.render_as_string()} cannot be used: {str(reason).strip().partition(chr(10))[0]}"
        )
        advice = "start it, or correct TILEWORK_DATABASE_URL; until then, requests get status 503"
        yield fault("database", seen, advice)
    finally:
        db.dispose()


def _describe_server(connection: Connection) -> str:
    if connection.dialect.name == "sqlite":
        return f"SQLite {connection.exec_driver_sql('SELECT sqlite_version()').scalar()}"
    return f"PostgreSQL {connection.exec_driver_sql('SHOW server_version').scalar()}"


def _check_schema(connection: Connection) -> Finding:
    match read_schema(connection):
        case Schema.CURRENT:
            return ok("schema", f"at {head_revision()}, as this version requires")
        case Schema.NONE:
            return fault("schema", "there are no tables", "run `tilework db upgrade`")
        case Schema.OLDER:
            seen = f"older than {head_revision()}, which this version requires"
            return fault("schema", seen, "run `tilework db upgrade`; workers wait for it")
        case Schema.TOO_OLD:
            seen = f"too old for this version, which requires {head_revision()}"
            return fault("schema", seen, "run `tilework db upgrade` from Tilework 0.1.0 first")
        case Schema.NEWER:
            seen = f"newer than {head_revision()}, the latest that this version supports"
            return fault(
                "schema", seen, "install the version of Tilework that created it, or a later one"
            )


def _check_log(path: Path) -> Iterator[Finding]:
    size = path.stat().st_size if path.exists() else 0
    if size > _LONG_LOG_BYTES:
        seen = f"the write-ahead log has grown to {size / 1e6:.0f} MB"
        yield warning("database", seen, "workers truncate it; if none is running, start one")


def _check_clock(db: Database) -> Finding:
    db.clock()
    skew = getattr(db.clock, "skew_s", 0.0)
    if abs(skew) < REPORTED_SKEW_S:
        return ok("clock", "this host and the database agree")
    seen = f"this host's is {abs(skew):.1f} s {'ahead of' if skew > 0 else 'behind'} the database's"
    return warning(
        "clock", seen, "correct it; leases use the clock of the database, logs that of this host"
    )


def _check_workers(db: Database) -> Iterator[Finding]:
    now = db.clock()
    with db.reading() as session:
        seen = session.workers.versions(now - WORKER_TIMEOUT_S)
    if not seen:
        advice = "start `tilework up` or `tilework worker`; only search workers can be seen"
        yield warning("workers", "no search worker was seen in the last seconds", advice)
        return
    counts = ", ".join(f"{count} of {name or 'an older version'}" for name, count in seen.items())
    if set(seen) == {version("tilework")}:
        yield ok("workers", f"search workers: {counts}")
    else:
        advice = f"this host has {version('tilework')}; restart the other workers when convenient"
        yield warning("workers", f"search workers: {counts}", advice)
