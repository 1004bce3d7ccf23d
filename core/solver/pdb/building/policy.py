"""Decides which pattern databases to build, and whether a build is worth its cost."""

from __future__ import annotations

from dataclasses import dataclass
from math import perm
from pathlib import Path
from typing import Final

from tilework.core.machine import usable_processors
from tilework.core.solver.pdb.building.breadth_first import BUILDERS
from tilework.core.solver.pdb.files import database_bytes, database_path
from tilework.core.solver.pdb.patterns import DEFAULT_SIZES, Partition, partitions_for


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
# Processor time per placement; see `tools.benchmarks.pattern_databases`
_DIGITS_S: Final = 65e-9
_RANKED_S: Final = 38e-9
# Time of a search with a partition relative to one without it, by title (docs/decisions/0006)
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
