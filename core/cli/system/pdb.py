"""``tilework pdb``: list, build and verify pattern databases."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from tilework.core.cli.console import ExitCode, ProgressLine, print_rows, show
from tilework.core.cli.options import DatabasesFolder, command_group, complete
from tilework.core.errors import DamagedFileError, OptionError, UnavailableError
from tilework.core.machine import user_databases
from tilework.core.model.operation import DatabaseState, DatabaseView
from tilework.core.services.pattern_databases import (
    PatternDatabases,
    find_table_by_name,
    list_stored,
)
from tilework.core.solver.pdb.builds import plan_builds
from tilework.core.solver.pdb.files import (
    database_path,
    file_state,
    load,
    table_name,
)
from tilework.core.solver.pdb.partitions import DEFAULT_SIZES, partitions_for

app = command_group()

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]...",
        autocompletion=complete(
            [table_name(table) for size in DEFAULT_SIZES for table in partitions_for(size)]
        ),
        help="Names, as in 5x5-6-6-6-6.",
        show_default=False,
    ),
]


@app.command(name="list")
def list_(*, databases: DatabasesFolder = None) -> None:
    """List the default databases and all others in the folder."""
    views = PatternDatabases(_folder(databases), _budget(), are_built=True).view()
    rows = ([view.name, str(view.bytes), _describe_state(view)] for view in views)
    show([asdict(view) for view in views], lambda: print_rows(["name", "bytes", "state"], rows))


@app.command()
def build(names: Names = None, *, databases: DatabasesFolder = None) -> None:
    """Build missing or damaged pattern databases, by default all default ones."""
    from tilework.core.solver.pdb.builder import build_missing

    folder = _folder(databases)
    tables = [*map(find_table_by_name, names or [])] or [*plan_builds(folder, _budget()).affordable]
    with _builder_lock(folder):
        for table in tables:
            name = table_name(table)
            if file_state(table, folder) == "built":
                _show(name, "built", f"{name} already built")
                continue
            started = time.monotonic()
            with _exit_on_interrupt(folder, name), _progress(f"building {name}") as report:
                failed = build_missing([table], folder, lambda _, fraction: report(fraction))
            if failed:
                raise UnavailableError(
                    "databases-not-kept",
                    "{name} cannot be stored in the folder {folder!r}",
                    name=name,
                    folder=folder,
                )
            _show(name, "built", f"{name} built in {time.monotonic() - started:.1f} s")


@app.command()
def verify(names: Names = None, *, databases: DatabasesFolder = None) -> None:
    """Verify every entry of pattern databases, by default of all in the folder.

    The exit code is 1 if a database is damaged, unreadable or missing.
    """
    from tilework.core.solver.pdb.verify import verify as verify_entries

    folder = _folder(databases)
    failures = 0
    for table in [*map(find_table_by_name, names or [])] or [*list_stored(folder)]:
        name = table_name(table)
        try:
            entries = load(table, database_path(table, folder), verify=True)
            with _progress(f"checking {name}") as report:
                verify_entries(table, entries, report)
        except FileNotFoundError:
            failures += 1
            _show(name, "missing", f"{name}: missing")
        except DamagedFileError as error:
            failures += 1
            _show(name, "damaged", f"{name}: damaged: {error}")
        except OSError as error:
            failures += 1
            _show(name, "unreadable", f"{name}: unreadable: {error.strerror}")
        else:
            _show(name, "correct", f"{name}: all entries are correct")
    if failures:
        raise typer.Exit(ExitCode.NO_SOLUTION)


def _show(name: str, state: str, text: str) -> None:
    """Print what became of a database; with ``--json``, one object a line."""
    show({"name": name, "state": state, "message": text}, lambda: print(text))


def _folder(databases: Path | None) -> Path:
    return databases or user_databases()


def _budget() -> int:
    from tilework.core.settings import get_settings

    return get_settings().pdb_budget


def _describe_state(view: DatabaseView) -> str:
    if view.state is DatabaseState.OVER_BUDGET:
        return "missing, over the budget"
    return view.state if view.progress is None else f"being built: {view.progress:.0%}"


@contextmanager
def _progress(description: str) -> Iterator[Callable[[float], object]]:
    with ProgressLine() as line:
        yield lambda fraction: line.draw(lambda: f"{description}: {fraction:.0%}")


@contextmanager
def _builder_lock(folder: Path) -> Iterator[None]:
    from tilework.core.solver.pdb.builder import claim_builder_lock

    try:
        claim = claim_builder_lock(folder, wait=False)
        if claim is None:
            print("waiting for another process that is building", file=sys.stderr)
            claim = claim_builder_lock(folder, wait=True)
    except OSError as error:
        raise OptionError(
            "databases-read-only",
            "the folder {folder!r} is not writable ({reason}); choose another with --databases "
            "or TILEWORK_PDB_DIR",
            folder=folder,
            reason=error.strerror or type(error).__name__,
        ) from None
    try:
        yield
    finally:
        if claim is not None:
            os.close(claim)


@contextmanager
def _exit_on_interrupt(folder: Path, name: str) -> Iterator[None]:
    # A normal exit would wait for threads that are running a compiled kernel.
    from tilework.core.solver.pdb.builder import remove_unfinished

    def end(_signal: int, _frame: FrameType | None) -> None:
        remove_unfinished(folder)
        print(f"\ntilework: building {name} was interrupted", file=sys.stderr, flush=True)
        sys.stdout.flush()
        os._exit(ExitCode.INTERRUPTED)

    previous_handler = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)
