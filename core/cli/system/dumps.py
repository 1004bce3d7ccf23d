"""Backups of PostgreSQL, by its own programs."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import URL

from tilework.core.errors import OptionError, UnavailableError


def dump(url: URL, file: Path) -> None:
    """Have ``pg_dump`` write a consistent copy while the database is in use.

    Raises
    ------
    OptionError
        If the file exists.
    UnavailableError
        If there is no such program, which the message then says how to call, or it fails.
    """
    if file.exists():
        raise OptionError(
            "backup-exists", "the file {path!r} exists already; name another", path=file
        )
    command = ["pg_dump", "--format=custom", f"--file={file}", f"--dbname={_address(url)}"]
    program = shutil.which("pg_dump")
    if program is None:
        raise UnavailableError(
            "no-pg-dump",
            "there is no pg_dump here; on a host that has it, run: {command}",
            command=shlex.join(command),
        )
    # Not as an argument: those are seen by everybody on the host.
    secret = {"PGPASSWORD": url.password} if url.password else {}
    done = subprocess.run(  # noqa: S603 -- a program of the host's path, and an address
        [program, *command[1:]],
        env=os.environ | secret,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        file.unlink(missing_ok=True)
        raise UnavailableError(
            "backup-failed",
            "the database cannot be copied: {reason}",
            reason=done.stderr.strip().partition("\n")[0],
        )
    file.chmod(0o600)


def restoring_command(url: URL, file: Path) -> str:
    """Return how a dump is put back."""
    options = ["--clean", "--if-exists", "--no-owner", "--single-transaction"]
    return shlex.join(["pg_restore", *options, f"--dbname={_address(url)}", str(file)])


def _address(url: URL) -> str:
    # `set` takes None for no change.
    plain = url._replace(drivername="postgresql", password=None)
    return plain.render_as_string(hide_password=False)
