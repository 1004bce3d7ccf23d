"""Requests to build pattern databases: empty files in their folder, which its workers watch."""

from __future__ import annotations

from pathlib import Path

from tilework.core.errors import OptionError
from tilework.core.solver.pdb.files import StoredTable, database_path
from tilework.core.solver.pdb.patterns import Partition, find_partition_by_title

_SUFFIX = ".requested"


def request_build(partition: Partition, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _request_path(partition, folder).touch()


def withdraw_request(table: StoredTable, folder: Path) -> bool:
    """Remove a request; return whether there was one."""
    try:
        _request_path(table, folder).unlink()
    except FileNotFoundError:
        return False
    return True


def list_requests(folder: Path) -> list[Partition]:
    partitions = []
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        try:
            partitions.append(find_partition_by_title(path.stem.replace("-", " ", 1)))
        except OptionError:
            continue  # from another version
    return partitions


def _request_path(table: StoredTable, folder: Path) -> Path:
    return database_path(table, folder).with_suffix(_SUFFIX)
