"""Building databases: entries against a naive search, and which databases are built."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from tests.unit.solver.pdb.naive_patterns import pattern_distances, zero_aware_distances
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import UNREACHED
from tilework.core.solver.pdb import breadth_first
from tilework.core.solver.pdb.breadth_first import build
from tilework.core.solver.pdb.builds import (
    has_room,
    plan_builds,
)
from tilework.core.solver.pdb.files import database_bytes
from tilework.core.solver.pdb.partitions import (
    DEFAULT_SIZES,
    Partition,
    find_partition,
    partitions_for,
)
from tilework.core.solver.pdb.ranks import rank_placement
from tilework.core.solver.pdb.verify import verify

SINGLE_TILES = sorted(set(range(1, 18)) - {7, 13, 17, 2})
PARTITIONS = [
    Partition("3", Size(2, 2), ((1, 2, 3),)),
    Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8))),
    Partition("3-2-2", Size(4, 2), ((5, 1, 6), (2, 3), (7, 4))),
    Partition("3-2-2", Size(2, 4), ((5, 1, 6), (2, 3), (7, 4))),
    # Mirrored patterns, with tiles in another order.
    Partition("2-2-1-1-1-1", Size(3, 3), ((3, 2), (4, 7), (6,), (8,), (1,), (5,))),
    Partition("3-3-3-1-1", Size(4, 3), ((1, 2, 5), (4, 8, 3), (9, 10, 6), (7,), (11,))),
    # Mirrored patterns, of which (6, 8) encloses the blank.
    Partition("2-2-1-1-1-1", Size(3, 3), ((2, 4), (6, 8), (1,), (3,), (5,), (7,))),
    # More than 16 cells.
    Partition("2-2-1", Size(3, 6), ((7, 13), (17, 2), *((tile,) for tile in SINGLE_TILES))),
]
# Goals with the blank on any cell; the last cell's neighbours are in one pattern, or in two.
ANYWHERE = [
    replace(partition, allows_any_blank=True)
    for partition in (
        PARTITIONS[1],
        PARTITIONS[2],
        Partition("4-4", Size(3, 3), ((6, 8, 1, 2), (3, 4, 5, 7))),
    )
]
RANKED = [replace(partition, ranked=True) for partition in PARTITIONS if partition.size.cells <= 16]


def table_name(partition):
    return (
        f"{partition.title}{' ranked' * partition.ranked}{' anywhere' * partition.allows_any_blank}"
    )


@pytest.mark.parametrize("partition", PARTITIONS + ANYWHERE + RANKED, ids=table_name)
def test_entries_agree_with_a_naive_search(partition):
    check_entries(partition, step=4 if partition.allows_any_blank else 1)


def check_entries(partition, step=1):
    """Compare the entries of every part, or of some, with a naive search."""
    width, height = partition.size
    cells = partition.size.cells
    entries = build(partition)
    assert entries.dtype == np.uint8
    assert entries.shape == (partition.length,)
    parts = zip(partition.parts, partition.offsets, partition.lengths, strict=True)
    for (pattern, blank), offset, length in islice(parts, 0, 20, step):
        expected = np.full(length, 255)
        goal = tuple(tile - 1 for tile in pattern)
        naive_entries = pattern_distances(goal, blank, width, height)
        if limit := partition.small_cells:
            naive_entries = zero_aware_distances(goal, blank, width, height, limit)
        for placement, moves in naive_entries.items():
            index = sum(cell * cells**exponent for exponent, cell in enumerate(placement))
            expected[rank_placement(placement, cells) if partition.ranked else index] = moves
        assert np.array_equal(entries[offset : offset + length], expected)
    verify(partition, entries)


@pytest.mark.parametrize("ranked", [False, True])
def test_distance_beyond_the_range_of_entries_is_an_error(ranked, monkeypatch):
    partition = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)), ranked=ranked)
    complete = build(partition)
    distances = complete[complete != UNREACHED] & (63 if ranked else 255)
    largest, limit = int(distances.max()), "DISTANCE" if ranked else "MAX_MOVES"
    monkeypatch.setattr(breadth_first, limit, largest)
    assert np.array_equal(build(partition), complete)
    monkeypatch.setattr(breadth_first, limit, largest - 1)
    with pytest.raises(OptionError, match=f"is {largest} moves from its goal"):
        build(partition)


DEFAULTS = {partition for size in DEFAULT_SIZES for partition in partitions_for(size)}
QUICK = {find_partition(Size(4, 4), "6-6-3"), find_partition(Size(5, 5), "5-5-5-5-4")}
LARGE = find_partition(Size(5, 5), "6-6-6-6")
RANKED = find_partition(Size(4, 4), "7-8")


def test_databases_that_do_not_fit_are_skipped(tmp_path):
    planned = plan_builds(tmp_path / "none", 5_000_000_000)
    assert (set(planned.affordable), planned.too_large) == (DEFAULTS, ())
    assert set(planned.affordable[:2]) == QUICK
    quick = sum(map(database_bytes, QUICK))
    assert set(plan_builds(tmp_path, quick).affordable) == QUICK
    assert set(plan_builds(tmp_path, quick).too_large) == DEFAULTS - QUICK
    assert LARGE in plan_builds(tmp_path, quick + database_bytes(LARGE)).affordable
    planned = plan_builds(tmp_path, quick + database_bytes(LARGE) - 1)
    assert LARGE in planned.too_large
    assert RANKED in planned.affordable
    assert plan_builds(tmp_path, 0).affordable == ()
    # Existing default databases are not counted twice; other databases use the budget.
    (tmp_path / "4x4-6-6-3.pdb").write_bytes(bytes(1000))
    assert set(plan_builds(tmp_path, quick).affordable) == QUICK
    (tmp_path / "3x3-4-4.pdb").write_bytes(bytes(1000))
    assert len(plan_builds(tmp_path, quick).affordable) == 1
    assert set(plan_builds(tmp_path, quick + 1000).affordable) == QUICK
    (tmp_path / "5x5-6-6-6-6.pdb").write_bytes(b"nonsense")
    budget = database_bytes(LARGE) + 2000
    assert has_room(LARGE, tmp_path, budget)
    assert not has_room(LARGE, tmp_path, budget - 1)
