"""``tilework webhooks``: the secret that signs webhook calls, and their deliveries."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from tilework.core.cli.options import AsJson, Key, ServerUrl, option
from tilework.core.cli.remote.commands import DEFAULT_SERVER, JobId, connect
from tilework.core.cli.remote.job_display import format_field
from tilework.core.cli.terminal import format_time, print_rows

_COLUMNS = ("job", "attempt", "time", "status", "error")

app = typer.Typer(
    help="Manage the webhook calls of your jobs.", no_args_is_help=True, rich_markup_mode=None
)


@app.command()
def secret(server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Create or replace the secret that signs your calls. It is shown only once."""
    with connect(server, key) as remote:
        print(remote.rotate_webhook_secret())


@app.command()
def deliveries(
    *,
    job: Annotated[
        str | None, option(metavar="JOB", help="List only the attempts for this job.")
    ] = None,
    server: ServerUrl = DEFAULT_SERVER,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """List the last 100 attempts to deliver your calls."""
    with connect(server, key) as remote:
        page = remote.deliveries(job)
    if as_json:
        print(json.dumps(page))
        return
    rows = [
        [
            attempt["job_id"],
            str(attempt["attempt"]),
            format_time(attempt["attempted_at"]),
            format_field("status", attempt["status"]),
            attempt["error"] or "",
        ]
        for attempt in page["deliveries"]
    ]
    print_rows(_COLUMNS, rows)


@app.command()
def redeliver(job: JobId, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Repeat the call for a job that has ended."""
    with connect(server, key) as remote:
        remote.redeliver(job)
