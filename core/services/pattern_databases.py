"""The pattern databases in the folder of this host."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path

from tilework.core.errors import NotFoundError, OptionError, UnavailableError
from tilework.core.model.operation import DatabaseState, DatabaseView
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.builds import (
    list_requests,
    plan_builds,
    read_build_progress,
    request_build,
    withdraw_request,
)
from tilework.core.solver.pdb.files import (
    database_bytes,
    database_path,
    delete_database,
    file_state,
    table_name,
)
from tilework.core.solver.pdb.partitions import Partition, find_partition


def find_table_by_name(name: str) -> Partition:
    """Return the table with a name like ``5x5-6-6-6-6``."""
    match = re.fullmatch(r"([1-9]\d?)[x×]([1-9]\d?)[- ](.{0,40})", name)
    if match is None:
        raise OptionError(
            "database-name",
            "unknown pattern databases {name!r}; write a name like 5x5-6-6-6-6",
            name=name[:60],
        )
    return find_partition(Size(int(match[1]), int(match[2])), match[3])


def list_stored(folder: Path) -> Iterator[Partition]:
    """Yield the tables with a file in a folder, even if it is damaged."""
    for path in sorted(folder.glob("*.pdb")):
        if (table := find_table_of_file(path)) is not None:
            yield table


def find_table_of_file(path: Path) -> Partition | None:
    """Return the table that a file should contain; None if it is from another version."""
    try:
        table = find_table_by_name(path.stem)
    except OptionError:
        return None
    return table if table_name(table) == path.stem else None


class PatternDatabases:
    """Lists the pattern databases of a folder, deletes them, and requests builds by its workers.

    ``budget``: the bytes that default databases may take.
    ``are_built``: whether workers build databases.
    """

    def __init__(self, folder: Path, budget: int, *, are_built: bool) -> None:
        self._folder = folder
        self._budget = budget
        self._are_built = are_built

    def view(self) -> list[DatabaseView]:
        """Return the default databases and all others that are stored or requested."""
        plan = plan_builds(self._folder, self._budget)
        requested = list_requests(self._folder)
        building = read_build_progress(self._folder)
        views = []
        tables = {*plan.affordable, *plan.too_large, *requested, *list_stored(self._folder)}
        for table in sorted(tables, key=attrgetter("size", "name")):
            state, progress = DatabaseState(file_state(table, self._folder)), None
            if building is not None and building.partition == table.title:
                state, progress = DatabaseState.BUILDING, building.fraction
            elif state is not DatabaseState.BUILT and table in requested:
                state = DatabaseState.REQUESTED
            elif state is DatabaseState.MISSING and table in plan.too_large:
                state = DatabaseState.OVER_BUDGET
            name, size = table_name(table), database_bytes(table)
            views.append(DatabaseView(name, size, state, progress))
        return views

    def request_build(self, name: str) -> None:
        """Let a worker of this host build a database, within a minute or after other builds."""
        table = find_table_by_name(name)
        if not self._are_built:
            raise OptionError(
                "database-not-built",
                "the workers do not build {name}; run tilework pdb build {name} "
                "--databases {folder}",
                name=table_name(table),
                folder=shlex.quote(str(self._folder.resolve())),
            )
        with _writable_folder():
            request_build(table, self._folder)

    def delete(self, name: str) -> None:
        """Delete a database or the request to build it; running searches keep using it."""
        table = find_table_by_name(name)
        with _writable_folder():
            was_requested = withdraw_request(table, self._folder)
            was_stored = delete_database(database_path(table, self._folder))
        if not (was_requested or was_stored):
            raise NotFoundError(
                "database-not-stored", "{name} is not stored on this host", name=table_name(table)
            )


@contextmanager
def _writable_folder() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnavailableError(
            "database-folder",
            "the folder of the pattern databases is not writable ({reason})",
            reason=error.strerror or type(error).__name__,
        ) from None
