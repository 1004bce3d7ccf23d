"""``tilework keys``: API keys, kept as hashes in the database that the settings name."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from tilework.core.cli.system.database import check_current, reachable_database
from tilework.core.cli.tables import print_fields, print_rows

if TYPE_CHECKING:
    from tilework.core.services.jobs.clients import Clients

app = typer.Typer(
    help="Create, list and revoke API keys.", no_args_is_help=True, rich_markup_mode=None
)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="What the key is for, to tell it from others.")],
    client: Annotated[
        str | None,
        typer.Option(help="An owner that exists; without it a new one.", show_default=False),
    ] = None,
) -> None:
    """Create a key. Its secret is shown this once."""
    with reachable_database():
        key, secret = _clients().create_key(name, client)
    print_fields({"id": key.id, "client": key.client_id, "secret": secret})


@app.command(name="list")
def list_(
    client: Annotated[
        str | None, typer.Option(help="Only this owner's keys.", show_default=False)
    ] = None,
) -> None:
    """List the keys without their secrets."""
    with reachable_database():
        keys = _clients().list_keys(client)
    print_rows(
        ["id", "client", "name", "created", "revoked"],
        (
            [key.id, key.client_id, key.name, _day(key.created_at), _day(key.revoked_at)]
            for key in keys
        ),
    )


@app.command()
def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As `keys list` shows.")],
) -> None:
    """Revoke a key permanently."""
    with reachable_database():
        key = _clients().revoke_key(key_id)
    print(f"revoked {key.id} ({key.name})")


def _day(seconds: float | None) -> str:
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


def _clients() -> Clients:
    from tilework.core.assembly import make_services
    from tilework.core.services.ports import NoTickets
    from tilework.core.settings import get_settings

    services = make_services(get_settings(), NoTickets())
    check_current(services.storage)
    return services.clients
