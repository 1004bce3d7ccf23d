"""``tilework keys`` and ``tilework audit``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.language import translate
from tilework.core.cli.options import option
from tilework.core.cli.system.database import reachable_database
from tilework.core.cli.terminal import ProgressLine, format_time, print_fields, print_rows
from tilework.core.messages import Message, plural

if TYPE_CHECKING:
    from tilework.core.services.audit import AuditReport
    from tilework.core.services.jobs.clients import Clients


app = typer.Typer(
    help="Create, list and revoke API keys.", no_args_is_help=True, rich_markup_mode=None
)


@app.command()
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
    with reachable_database():
        key, secret = _clients().create_key(name, client, operator=operator)
    print_fields({"id": key.id, "client": key.client_id, "secret": secret})


@app.command(name="list")
def list_(
    client: Annotated[str | None, option(help="List only the keys of this client.")] = None,
) -> None:
    """List the keys without their secrets."""
    with reachable_database():
        keys = _clients().list_keys(client)
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
            for key in keys
        ),
    )


@app.command()
def revoke(
    key_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id shown by `tilework keys list`.")
    ],
) -> None:
    """Revoke a key permanently."""
    with reachable_database():
        key = _clients().revoke_key(key_id)
    print(f"revoked {key.id} ({key.name})")


def _clients() -> Clients:
    from tilework.core.assembly import Services
    from tilework.core.services.tickets import NoTickets
    from tilework.core.settings import get_settings

    services = Services(get_settings(), NoTickets())
    services.storage.check_schema()
    return services.clients


def audit(*, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Check all stored searches while the system is running.

    The exit code is 1 if any is damaged.
    """
    from tilework.core.services import audit as audits
    from tilework.core.settings import get_settings
    from tilework.core.storage.database import Database

    storage = Database(get_settings().database)
    with reachable_database(), ProgressLine(sys.stderr) as line:
        storage.check_schema()

        def draw(done: int, total: int) -> None:
            line.draw(lambda: f"{done:,} / {total:,}")

        report = audits.audit(storage, draw)
    if as_json:
        print(json.dumps(asdict(report) | {"listed": [row._asdict() for row in report.listed]}))
    else:
        _print_report(report)
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
