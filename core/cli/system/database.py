"""``tilework db``: the schema of the database that the settings name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.exits import ExitCode
from core.errors import InputError, UnavailableError
from core.messages import as_told

if TYPE_CHECKING:
    from core.services.ports import Storage

app = typer.Typer(
    help="Bring the database to a schema, or check it.", no_args_is_help=True, rich_markup_mode=None
)


@app.command()
def upgrade(
    revision: Annotated[str, typer.Argument(help="Where to stop.")] = "head",
) -> None:
    """Run the migrations up to a revision."""
    from core.storage import schema

    url = _database_url()
    with reachable_database():
        schema.upgrade(url, revision)


@app.command()
def downgrade(
    revision: Annotated[str, typer.Argument(help="A revision, -1, or base for nothing at all.")],
) -> None:
    """Run the migrations down to a revision; what their tables hold is lost."""
    from core.storage import schema

    url = _database_url()
    with reachable_database():
        schema.downgrade(url, revision)


@app.command()
def check() -> None:
    """Tell how the database differs from the models; exit code 1 if it does."""
    from core.storage import schema

    url = _database_url()
    with reachable_database():
        differences = schema.check(url)
    for difference in differences:
        print(difference)
    if differences:
        raise typer.Exit(ExitCode.NO_SOLUTION)
    print("The database matches the models.")


def _database_url() -> str:
    from core.settings import get_settings

    return get_settings().database


def check_current(storage: Storage) -> None:
    """Make sure that a database has the schema of this version.

    Raises
    ------
    UnavailableError
        If it has not.
    """
    if not storage.current():
        raise UnavailableError(
            "schema",
            "the tables of the database are not those of this version; run: tilework db upgrade",
        )


@contextmanager
def reachable_database() -> Iterator[None]:
    """Turn an unreachable database or an unknown revision into one sentence.

    Raises
    ------
    UnavailableError
        With the driver's first line.
    InputError
        With Alembic's words.
    """
    from alembic.util.exc import CommandError
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except CommandError as error:
        raise InputError(as_told(str(error))) from None
    except DBAPIError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        raise UnavailableError(
            "database", "the database cannot be used: {reason}", reason=reason
        ) from None
