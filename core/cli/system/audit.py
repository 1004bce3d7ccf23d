"""``tilework audit``: every row of the database that the settings name is looked at."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from tilework.core.cli.exits import ExitCode
from tilework.core.cli.language import say
from tilework.core.cli.progress_line import ProgressLine
from tilework.core.cli.system.database import check_current, reachable_database
from tilework.core.cli.tables import print_rows
from tilework.core.messages import Message, plural

if TYPE_CHECKING:
    from tilework.core.services.audit import AuditReport


def audit(
    *,
    reset: Annotated[
        bool, typer.Option("--reset", help="Set damaged rows aside, to be solved again.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Look at all that is stored, while the system runs; exit code 1 if something is damaged."""
    from tilework.core.assembly import make_audit
    from tilework.core.settings import get_settings

    with reachable_database(), ProgressLine(sys.stderr) as line:
        storage, run = make_audit(get_settings())
        check_current(storage)

        def watch(table: str, done: int, total: int) -> None:
            line.draw(lambda: f"{table}: {done:,} / {total:,}")

        report = run(reset=reset, watch=watch)
    if as_json:
        print(json.dumps(asdict(report) | {"reset": reset}))
    else:
        _print(report, reset=reset)
    if report.damaged:
        raise typer.Exit(ExitCode.NO_SOLUTION)


def _print(report: AuditReport, *, reset: bool) -> None:
    if report.listed:
        rows = [[one.table, one.row_id, one.reason] for one in report.listed]
        print_rows(["table", "id", "what is wrong"], rows)
    checked = sum(report.checked.values())
    if not report.damaged:
        print(
            say(
                plural(
                    "audit-sound",
                    "{count} row was looked at; it is sound.",
                    "{count} rows were looked at; all are sound.",
                    count=checked,
                )
            )
        )
        return
    print(
        say(
            Message(
                "audit-damaged",
                "{damaged} of {count} rows are damaged; {outcome}",
                damaged=report.damaged,
                count=checked,
                outcome=_SET_ASIDE if reset else _LEFT,
            )
        )
    )


_SET_ASIDE = Message("audit-reset", "they were quarantined, and what is asked for is solved again.")
_LEFT = Message("audit-left", "tilework audit --reset quarantines them, to be solved again.")
