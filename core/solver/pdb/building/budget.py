"""Which pattern databases every host should have, within a budget of bytes on its disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilework.core.solver.pdb.files import bytes_of, path_of
from tilework.core.solver.pdb.patterns import DEFAULT_SIZES, Partition, partitions_for


@dataclass(frozen=True, slots=True)
class Plan:
    """The default pattern databases: quickly built ones first, then the best of each size.

    Attributes
    ----------
    within, over : tuple of Partition
        Those that fit the budget, whether built or not, and those that do not.
    """

    within: tuple[Partition, ...]
    over: tuple[Partition, ...]


def has_room(partition: Partition, folder: Path, budget: int) -> bool:
    """Whether a partition fits a budget of bytes beside everything else in a folder."""
    others = {*folder.glob("*.pdb")} - {path_of(partition, folder)}
    return sum(path.stat().st_size for path in others) + bytes_of(partition) <= budget


def plan(folder: Path, budget: int) -> Plan:
    """Share a budget of bytes among the default databases.

    Other files in the folder count first: somebody asked for them.
    """
    defaults = sorted(
        (partition for size in DEFAULT_SIZES for partition in partitions_for(size)),
        key=lambda partition: not partition.is_quick,
    )
    paths = {path_of(partition, folder) for partition in defaults}
    left = budget - sum(path.stat().st_size for path in {*folder.glob("*.pdb")} - paths)
    within: list[Partition] = []
    over: list[Partition] = []
    for partition in defaults:
        if bytes_of(partition) <= left:
            left -= bytes_of(partition)
            within.append(partition)
        else:
            over.append(partition)
    return Plan(tuple(within), tuple(over))
