"""Which pattern databases to build, whether a build is worth its cost, and how far it is.

The builder writes its progress to a file, which the web application reads. Requests to build are
empty files in the same folder, which its workers watch.
"""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import perm
from pathlib import Path
from typing import Final, Self

from tilework.core.errors import OptionError
from tilework.core.machine import usable_processors
from tilework.core.solver.pdb.breadth_first import BUILDERS
from tilework.core.solver.pdb.files import (
    StoredTable,
    database_bytes,
    database_path,
    write_atomically,
)
from tilework.core.solver.pdb.partitions import (
    DEFAULT_SIZES,
    Partition,
    find_partition_by_title,
    partitions_for,
)

STALE_AFTER_S = 30.0  # older files belong to builders that were killed

_INTERVAL_S = 1.0


@dataclass(frozen=True, slots=True)
class BuildProgress:
    partition: str  # its title, as in ``5x5 6-6-6-6``
    fraction: float  # from 0 to 1
    started_at: float  # seconds since the epoch


def read_build_progress(folder: Path) -> BuildProgress | None:
    """Return the progress of the build in a folder; None if there is none."""
    file = _progress_file(folder)
    try:
        if time.time() - file.stat().st_mtime > STALE_AFTER_S:
            return None
        values = json.loads(file.read_bytes())
        return BuildProgress(
            str(values["partition"]), float(values["fraction"]), float(values["started_at"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remove_build_progress(folder: Path) -> None:
    """Remove the progress file of a folder."""
    _progress_file(folder).unlink(missing_ok=True)


class BuildProgressFile:
    """Context manager that updates a folder's progress file every second."""

    def __init__(self, folder: Path, partition: str) -> None:
        self._folder = folder
        self._partition = partition
        self._fraction = 0.0
        self._started_at = time.time()
        self._stopped = threading.Event()
        self._writer = threading.Thread(target=self._keep_writing, daemon=True)

    def __call__(self, fraction: float) -> None:
        self._fraction = fraction

    def __enter__(self) -> Self:
        self._write()
        self._writer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._writer.join()
        remove_build_progress(self._folder)

    def _keep_writing(self) -> None:
        while not self._stopped.wait(_INTERVAL_S):
            self._write()

    def _write(self) -> None:
        progress = BuildProgress(self._partition, self._fraction, self._started_at)
        with suppress(OSError):
            write_atomically(_progress_file(self._folder), json.dumps(asdict(progress)).encode())


def _progress_file(folder: Path) -> Path:
    return folder / "building.json"


@dataclass(frozen=True, slots=True)
class Plan:
    """The default pattern databases, quickly built ones first."""

    affordable: tuple[Partition, ...]  # those that fit into the budget, whether built or not
    too_large: tuple[Partition, ...]  # those that do not fit


def has_room(partition: Partition, folder: Path, budget: int) -> bool:
    """Whether a partition and all other files of a folder fit into a budget of bytes."""
    other_files = {*folder.glob("*.pdb")} - {database_path(partition, folder)}
    return sum(path.stat().st_size for path in other_files) + database_bytes(partition) <= budget


def plan_builds(folder: Path, budget: int) -> Plan:
    """Divide a budget of bytes among the default databases."""
    defaults = sorted(
        (partition for size in DEFAULT_SIZES for partition in partitions_for(size)),
        key=lambda partition: not partition.is_quick,
    )
    paths = {database_path(partition, folder) for partition in defaults}
    remaining = budget - sum(path.stat().st_size for path in {*folder.glob("*.pdb")} - paths)
    affordable: list[Partition] = []
    too_large: list[Partition] = []
    for partition in defaults:
        if database_bytes(partition) <= remaining:
            remaining -= database_bytes(partition)
            affordable.append(partition)
        else:
            too_large.append(partition)
    return Plan(tuple(affordable), tuple(too_large))


MIN_SHARE: Final = 0.25  # of a build's cost that a search must have lost before a build starts
# Processor time per placement, as measured for `tools/benchmarks/results/once.json`
_DIGITS_S: Final = 65e-9
_RANKED_S: Final = 38e-9
# Time of a search with a partition relative to one without it, by title (decision 6)
_RELATIVE_TIME: Final = {"4x4 7-8": 0.37}
_DEFAULT_RELATIVE_TIME: Final = 0.1


def estimate_build_seconds(partition: Partition, processors: int | None = None) -> float:
    processors = processors or usable_processors()
    cells = partition.size.cells
    placements = sum(perm(cells, len(part.pattern)) for part in partition.parts)
    placement_s = _RANKED_S if partition.ranked else _DIGITS_S
    return placements * placement_s / min(processors, BUILDERS)


def is_worthwhile(partition: Partition, searched_s: float, remaining_s: float | None) -> bool:
    """Whether to start a build now, during a search."""
    cost_s = estimate_build_seconds(partition)
    saved_share = 1.0 - _RELATIVE_TIME.get(partition.title, _DEFAULT_RELATIVE_TIME)
    if remaining_s is not None and remaining_s < cost_s * (1.0 + MIN_SHARE):
        return False
    return searched_s * saved_share >= cost_s * MIN_SHARE


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
