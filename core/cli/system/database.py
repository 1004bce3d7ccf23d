"""``tilework db``, ``keys`` and ``audit``: migrations, backups, checks and keys of the database."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilework.core.cli.console import (
    ExitCode,
    ProgressLine,
    format_time,
    print_fields,
    print_rows,
    show,
    translate,
)
from tilework.core.cli.options import command_group, option
from tilework.core.errors import InputError, OptionError, UnavailableError
from tilework.core.messages import Message, plural, untranslated

if TYPE_CHECKING:
    from tilework.core.services.audit import AuditReport
    from tilework.core.services.jobs.clients import Clients
    from tilework.core.storage.clients import ApiKeyView


app = command_group()


@app.command()
def upgrade(revision: Annotated[str, typer.Argument(help="The revision.")] = "head") -> None:
    """Migrate the database up to a revision."""
    from tilework.core.storage import schema

    url = _database_url()
    with reachable_database():
        change = schema.upgrade(url, _check_revision(revision))
    _print_change(change)


@app.command(context_settings={"ignore_unknown_options": True})  # for -1
def downgrade(
    revision: Annotated[
        str,
        typer.Argument(help="A revision; -1 for the previous one; or base for an empty database."),
    ],
) -> None:
    """Migrate the database down to a revision; the data in removed tables is lost."""
    from tilework.core.storage import schema

    url = _database_url()
    with existing_database():
        change = schema.downgrade(url, _check_revision(revision))
    _print_change(change)


@app.command()
def check() -> None:
    """Compare the database schema with the models.

    The exit code is 1 if they differ.
    """
    from tilework.core.storage import schema

    url = _database_url()
    with existing_database():
        differences = schema.check(url)
    show(
        {"differences": differences},
        lambda: print("\n".join(differences) or "The database matches the models."),
    )
    if differences:
        raise typer.Exit(ExitCode.NO_SOLUTION)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The backup file; it must not exist.")],
) -> None:
    """Back up a SQLite database while the system is running."""
    from tilework.core.storage.backups import back_up

    back_up(_sqlite_file(), file)
    size = file.stat().st_size
    show({"file": file, "bytes": size}, lambda: print(f"{file} written: {size} bytes"))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file written by `tilework db backup`.")],
) -> None:
    """Replace a SQLite database with a backup while the system is stopped."""
    from tilework.core.cli.system.processes import lock_folder
    from tilework.core.settings import get_settings
    from tilework.core.storage import backups

    database = _sqlite_file()
    lock = lock_folder(get_settings().data_dir.resolve(), timeout_s=0.0)
    try:
        aside = backups.restore(file, database)
    finally:
        os.close(lock)
    note = f"; the old file is {aside}" if aside else ""
    show(
        {"database": database, "file": file, "old_file": aside},
        lambda: print(f"{database} restored from {file}{note}"),
    )


def _sqlite_file() -> Path:
    from sqlalchemy import make_url

    url = make_url(_database_url())
    if url.get_backend_name() != "sqlite":
        raise OptionError(
            "backup-sqlite-only",
            "this is for SQLite; PostgreSQL has its own pg_dump and pg_restore",
        )
    return Path(url.database or "")


def _check_revision(text: str) -> str:
    if not text.strip():  # for which Alembic has no message
        raise InputError(
            "revision", "{given!r} is not a revision; use one such as head, base or -1", given=text
        )
    return text


def _database_url() -> str:
    from tilework.core.settings import get_settings

    return get_settings().database


def _print_change(change: tuple[str | None, str | None]) -> None:
    before, after = (f"schema {revision}" if revision else "no schema" for revision in change)
    text = f"Migrated the database from {before} to {after}."
    if before == after:
        text = f"The database already has {after}."
    show(dict(zip(("before", "after"), change, strict=True)), lambda: print(text))


@contextmanager
def reachable_database() -> Iterator[None]:
    from alembic.util.exc import CommandError
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except CommandError as error:
        raise InputError(untranslated(str(error))) from None
    except DBAPIError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        if "password authentication failed" in reason:
            raise UnavailableError(
                "database-password",
                "PostgreSQL rejects the password: {reason}. A database keeps the password that "
                "it was created with, whatever is set later: set that one again, or change it "
                "with `\\password` in psql",
                reason=reason,
            ) from None
        raise UnavailableError(
            "database", "the database cannot be used: {reason}", reason=reason
        ) from None


@contextmanager
def existing_database() -> Iterator[None]:
    """Like `reachable_database`, but a SQLite file that is missing is not created."""
    from sqlalchemy import make_url

    from tilework.core.storage.backups import check_exists

    url = make_url(_database_url())
    if url.get_backend_name() == "sqlite":
        check_exists(Path(url.database or ""))
    with reachable_database():
        yield


keys = command_group()


@keys.command()
def create(
    name: Annotated[str, typer.Argument(help="A name for the key.")],
    *,
    client: Annotated[
        str | None, option(help="An existing client that owns the key.  [default: a new one]")
    ] = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="Let the key operate the service.")
    ] = False,
) -> None:
    """Create a key. Its secret is shown only once."""
    with existing_database():
        key, secret = _clients().create_key(name, client, operator=operator)
    fields = {"id": key.id, "client": key.client_id, "secret": secret}
    show(fields, lambda: print_fields(fields))


@keys.command(name="list")
def list_(
    client: Annotated[str | None, option(help="List only the keys of this client.")] = None,
) -> None:
    """List the keys without their secrets."""
    with existing_database():
        listed = _clients().list_keys(client)
    show([asdict(key) for key in listed], lambda: _print_keys(listed))


def _print_keys(listed: Iterable[ApiKeyView]) -> None:
    print_rows(
        ["id", "client", "name", "role", "created", "revoked"],
        (
            [
                key.id,
                key.client_id,
                key.name,
                key.role or "",
                format_time(key.created_at),
                format_time(key.revoked_at),
            ]
            for key in listed
        ),
    )


@keys.command()
def revoke(
    key_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id shown by `tilework keys list`.")
    ],
) -> None:
    """Revoke a key permanently."""
    with existing_database():
        key = _clients().revoke_key(key_id)
    show(asdict(key), lambda: print(f"revoked {key.id} ({key.name})"))


def _clients() -> Clients:
    from tilework.core.assembly import Services
    from tilework.core.services.tickets import NoTickets
    from tilework.core.settings import get_settings

    services = Services(get_settings(), NoTickets())
    services.storage.check_schema()
    return services.clients


def audit() -> None:
    """Check all stored searches while the system is running.

    The exit code is 1 if any is damaged.
    """
    from tilework.core.services import audit as audits
    from tilework.core.settings import get_settings
    from tilework.core.storage.database import Database

    storage = Database(get_settings().database)
    with existing_database(), ProgressLine() as line:
        storage.check_schema()

        def draw(done: int, total: int) -> None:
            line.draw(lambda: f"{done:,} / {total:,}")

        report = audits.audit(storage, draw)
    listed = [row._asdict() for row in report.listed]
    show(asdict(report) | {"listed": listed}, lambda: _print_report(report))
    if report.damaged:
        raise typer.Exit(ExitCode.NO_SOLUTION)


def _print_report(report: AuditReport) -> None:
    if report.listed:
        print_rows(["table", "id", "reason"], [list(row) for row in report.listed])
    count = report.solves + report.slices
    if not report.damaged:
        message = plural(
            "audit-sound",
            "{count} row was checked; it is intact.",
            "{count} rows were checked; all are intact.",
            count=count,
        )
    else:
        message = Message(
            "audit-damaged",
            "{damaged} of {count} rows are damaged; their boards are searched again when they are "
            "next read.",
            damaged=report.damaged,
            count=count,
        )
    print(translate(message))
