"""``tilework web`` and ``tilework worker``: one role of a system that spans hosts."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from tilework.core.cli.system.addresses import DEFAULT_PORT
from tilework.core.cli.system.folder_lock import require_writable
from tilework.core.cli.system.programs import ALL_QUEUES, web_command, worker_command
from tilework.core.settings import get_settings


def web(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = DEFAULT_PORT,
) -> None:
    """Serve the page and the API.

    TILEWORK_DATABASE_URL and TILEWORK_BROKER_URL say where the database and the broker are.
    """
    settings = get_settings()
    if settings.secret_key is None:
        require_writable(settings.data_dir)  # the key is kept there
    _become(web_command(host, port))


def worker(
    queues: Annotated[
        str, typer.Option(help="Queues to serve, comma-separated: interactive, batch, lab, search.")
    ] = ",".join(ALL_QUEUES),
    name: Annotated[str, typer.Option(help="Head of the log lines.")] = "worker",
) -> None:
    """Run one worker, which searches on one core.

    TILEWORK_DATABASE_URL and TILEWORK_BROKER_URL say where the database and the broker are.
    """
    settings = get_settings()
    if not settings.database_url:
        require_writable(settings.data_dir)  # the database is there
    _become(worker_command(queues.split(","), name))


def _become(command: list[str]) -> None:
    # In place, so that the signals of a container or a service manager arrive where they should.
    os.execv(command[0], command)  # noqa: S606 -- our own command
