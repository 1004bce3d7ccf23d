"""``tilework operator``: the state of a server and actions for its operators."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from tilework.core.cli.language import gettext, gettext_noop
from tilework.core.cli.options import AsJson, Key, ServerUrl
from tilework.core.cli.remote.commands import DEFAULT_SERVER, JobId, connect, show_job
from tilework.core.cli.remote.job_display import format_field, state_name
from tilework.core.cli.terminal import format_count, print_fields, print_rows
from tilework.core.model.ids import check_id
from tilework.core.model.states import Priority, SuspensionKind

app = typer.Typer(
    help="Show and control the work of a server.", no_args_is_help=True, rich_markup_mode=None
)

_QUEUE_COLUMNS = {
    "name": gettext_noop("queue"),
    "ready": gettext_noop("waiting"),
    "leased": gettext_noop("running"),
    "oldest_wait_s": gettext_noop("longest wait"),
    "suspended": gettext_noop("suspended"),
}
_WORKER_COLUMNS = {"name": gettext_noop("worker"), "work": gettext_noop("work")}
_QUARANTINE_COLUMNS = {
    "solve_id": gettext_noop("quarantined solve"),
    "width": gettext_noop("width"),
    "height": gettext_noop("height"),
    "message": gettext_noop("reason"),
}
_DATABASE_COLUMNS = {
    "name": gettext_noop("pattern database"),
    "bytes": gettext_noop("bytes"),
    "state": gettext_noop("state"),
}
_DAMAGE_COLUMNS = {
    "table": gettext_noop("damaged row in table"),
    "row_id": gettext_noop("ID"),
    "reason": gettext_noop("reason"),
}
_SUSPENSION_COLUMNS = {"kind": gettext_noop("suspended"), "name": gettext_noop("name")}

Name = Annotated[str, typer.Argument(help="The name of a queue or worker, or a client's id.")]
SolveId = Annotated[
    str, typer.Argument(metavar="SOLVE", help="An id from the quarantine of `show`.")
]

Database = Annotated[str, typer.Argument(metavar="NAME", help="A name such as 5x5-6-6-6-6.")]


@app.command()
def show(server: ServerUrl = DEFAULT_SERVER, key: Key = None, as_json: AsJson = False) -> None:
    """Show queues, workers, jobs, throughput, quarantine, suspensions, databases and damage."""
    view = _operate(server, key, "GET")
    if as_json:
        print(json.dumps(view))
        return
    throughput, jobs = view["throughput"], view["jobs"].items()
    print_fields(
        {
            gettext("submitted in the last minute"): str(throughput["submitted"]),
            gettext("ended in the last minute"): str(throughput["ended"]),
            gettext("nodes per second now"): format_count(throughput["nodes_per_s"]),
            **{state_name(state): str(number) for state, number in jobs if number},
        }
    )
    print()
    _print_table(_QUEUE_COLUMNS, view["queues"])
    for columns, items in (
        (_WORKER_COLUMNS, [item | {"work": _describe_work(item)} for item in view["workers"]]),
        (_QUARANTINE_COLUMNS, view["quarantine"]),
        (_SUSPENSION_COLUMNS, view["suspensions"]),
        (_DATABASE_COLUMNS, view["databases"]),
        (_DAMAGE_COLUMNS, view["damage"]),
    ):
        if items:
            print()
            _print_table(columns, items)


def _print_table(columns: dict[str, str], items: list[dict[str, Any]]) -> None:
    print_rows(columns, ([format_field(name, item[name]) for name in columns] for item in items))


def _describe_work(worker: dict[str, Any]) -> str:
    if worker["suspended"]:
        return gettext("suspended")
    return ", ".join(item["job_id"] or f"{item['queue']} {item['kind']}" for item in worker["work"])


@app.command()
def suspend(
    kind: SuspensionKind, name: Name, server: ServerUrl = DEFAULT_SERVER, key: Key = None
) -> None:
    """Pause a queue, drain a worker or block a client."""
    _operate(server, key, "PUT", "suspensions", kind, name)


@app.command()
def resume(
    kind: SuspensionKind, name: Name, server: ServerUrl = DEFAULT_SERVER, key: Key = None
) -> None:
    """End a suspension."""
    _operate(server, key, "DELETE", "suspensions", kind, name)


@app.command()
def cancel(job: JobId, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Cancel a job of any client."""
    show_job(_operate(server, key, "DELETE", "jobs", check_id(job)), as_json=False)


@app.command()
def priority(
    job: JobId, priority: Priority, server: ServerUrl = DEFAULT_SERVER, key: Key = None
) -> None:
    """Change the priority of a job among the jobs of its client."""
    body = {"priority": priority.value}
    job_view = _operate(server, key, "PUT", "jobs", check_id(job), "priority", json=body)
    show_job(job_view, as_json=False)


@app.command()
def retry(solve: SolveId, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Let work in quarantine be searched again."""
    _operate(server, key, "POST", "quarantine", check_id(solve), "retry")


@app.command()
def drop(solve: SolveId, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Delete a search in quarantine, which restarts from the proven bounds."""
    _operate(server, key, "DELETE", "quarantine", check_id(solve))


@app.command()
def build(name: Database, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Let a worker build a pattern database."""
    _operate(server, key, "POST", "databases", name, "build")


@app.command()
def delete(name: Database, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Delete a pattern database, or the request to build it."""
    _operate(server, key, "DELETE", "databases", name)


def _operate(
    server: str, key: str | None, method: str, *path: str, json: Any = None
) -> dict[str, Any]:
    with connect(server, key) as remote:
        return remote.operate(method, path, json)
