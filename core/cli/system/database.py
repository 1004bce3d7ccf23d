"""``tilework db``: migrations, checks and backups of the database."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from sqlalchemy import URL, make_url

from tilework.core.cli.exit_codes import ExitCode
from tilework.core.errors import InputError, OptionError, UnavailableError
from tilework.core.messages import untranslated

if TYPE_CHECKING:
    pass


app = typer.Typer(
    help="Migrate, check, back up or restore the database.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def upgrade(revision: Annotated[str, typer.Argument(help="The revision.")] = "head") -> None:
    """Migrate the database up to a revision."""
    from tilework.core.storage import schema

    url = _database_url()
    with reachable_database():
        schema.upgrade(url, _check_revision(revision))


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
    with reachable_database():
        schema.downgrade(url, _check_revision(revision))


@app.command()
def check() -> None:
    """Compare the database schema with the models.

    The exit code is 1 if they differ.
    """
    from tilework.core.storage import schema

    url = _database_url()
    with reachable_database():
        differences = schema.check(url)
    for difference in differences:
        print(difference)
    if differences:
        raise typer.Exit(ExitCode.NO_SOLUTION)
    print("The database matches the models.")


@app.command()
def vacuum() -> None:
    """Rewrite a SQLite file without unused space and enable incremental vacuum."""
    from tilework.core.storage.database import Database

    database = Database(_database_url())
    if database.dialect != "sqlite":
        raise OptionError(
            "vacuum-sqlite-only",
            "only SQLite needs this; PostgreSQL has autovacuum",
        )
    with reachable_database(), database.engine(writes=False).connect() as connection:
        connection.exec_driver_sql("PRAGMA auto_vacuum = INCREMENTAL")
        # The copy that VACUUM makes may not fit into memory.
        connection.exec_driver_sql("PRAGMA temp_store = FILE")
        connection.exec_driver_sql("VACUUM")
    database.dispose()


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The backup file; it must not exist.")],
) -> None:
    """Back up the database while the system is running."""
    url = make_url(_database_url())
    if url.get_backend_name() == "sqlite":
        from tilework.core.storage.backups import back_up

        back_up(Path(url.database or ""), file)
    else:
        dump(url, file)
    print(f"{file} written: {file.stat().st_size} bytes")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file written by `tilework db backup`.")],
) -> None:
    """Replace the database with a backup while the system is stopped."""
    from tilework.core.cli.system.folder_lock import lock_folder
    from tilework.core.settings import get_settings
    from tilework.core.storage import backups

    url = make_url(_database_url())
    if url.get_backend_name() != "sqlite":
        raise OptionError(
            "restore-sqlite-only",
            "restore PostgreSQL with its own program while Tilework is stopped: {command}",
            command=restore_command(url, file),
        )
    lock = lock_folder(get_settings().data_dir.resolve(), timeout_s=0.0)
    try:
        aside = backups.restore(file, Path(url.database or ""))
    finally:
        os.close(lock)
    print(f"{url.database} restored from {file}" + (f"; the old file is {aside}" if aside else ""))


def _check_revision(text: str) -> str:
    if not text.strip():  # for which Alembic has no message
        raise InputError(
            "revision", "{given!r} is not a revision; use one such as head, base or -1", given=text
        )
    return text


def _database_url() -> str:
    from tilework.core.settings import get_settings

    return get_settings().database


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
        raise UnavailableError(
            "database", "the database cannot be used: {reason}", reason=reason
        ) from None


def dump(url: URL, file: Path) -> None:
    """Write a consistent copy of a database in use, with ``pg_dump``."""
    from tilework.core.storage.backups import new_file

    if file.exists():
        raise OptionError(
            "backup-exists", "the file {path!r} already exists; choose another name", path=file
        )
    command = ["pg_dump", "--format=custom", f"--dbname={_connection_uri(url)}"]
    program = shutil.which("pg_dump")
    if program is None:
        raise UnavailableError(
            "no-pg-dump",
            "pg_dump is not installed here; on a host that has it, run: {command}",
            command=shlex.join([*command, f"--file={file}"]),
        )
    # Not an argument, because all users of the host can see arguments.
    password = {"PGPASSWORD": url.password} if url.password else {}
    try:
        with new_file(file) as partial:
            result = subprocess.run(  # noqa: S603 -- a program on the PATH, and a URL
                [program, *command[1:], f"--file={partial}"],
                env=os.environ | password,
                capture_output=True,
                text=True,
                check=False,
            )
            if result.returncode:
                raise OSError(result.stderr.strip().partition("\n")[0])
    except OSError as error:
        raise UnavailableError(
            "backup-failed", "the database cannot be copied: {reason}", reason=error
        ) from None


def restore_command(url: URL, file: Path) -> str:
    options = ["--clean", "--if-exists", "--no-owner", "--single-transaction"]
    return shlex.join(["pg_restore", *options, f"--dbname={_connection_uri(url)}", str(file)])


def _connection_uri(url: URL) -> str:
    # `set` would ignore None.
    plain = url._replace(drivername="postgresql", password=None)
    return plain.render_as_string(hide_password=False)
