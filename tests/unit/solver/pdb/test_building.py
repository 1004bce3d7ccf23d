"""Building databases: entries against a naive search, and which databases are built."""

from dataclasses import replace
from itertools import islice, permutations
from math import perm

import numpy as np
import pytest

from tests.support.naive import adjacent_cells, pattern_states
from tilework.core.errors import DamagedFileError, OptionError
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
    find_partition_by_title,
    partitions_for,
)
from tilework.core.solver.pdb.ranks import MAX_RANKED_CELLS, rank_placement, unrank_placement
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
# The kernels that build ranked entries do not depend on the size.
RANKED = [replace(PARTITIONS[number], ranked=True) for number in (1, 2, 6)]


def table_name(partition):
    return (
        f"{partition.title}{' ranked' * partition.ranked}{' anywhere' * partition.allows_any_blank}"
    )


@pytest.mark.parametrize("partition", PARTITIONS + ANYWHERE + RANKED, ids=table_name)
def test_entries_agree_with_a_naive_search(partition):
    check_entries(partition, step=11 if partition.allows_any_blank else 1)


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


WRONG = [
    ((0, 0), 3),  # invalid placement: both tiles on one cell
    ((0, 1), 2),  # the goal of tiles 1 and 2
    ((1, 0), 255),  # exchanged, but reachable
    ((2, 1), 3),  # Manhattan distance 2: wrong parity
    ((3, 1), 1),  # below the Manhattan distance of 3
    ((3, 1), 0),  # not the goal
    ((1, 0), 4),  # exchanged, which takes six moves
    ((1, 0), 8),
]


@pytest.mark.parametrize("ranked", [False, True])
def test_every_wrong_entry_is_found(ranked):
    partition = Partition("2-5", Size(4, 2), ((1, 2), (3, 4, 5, 6, 7)), ranked=ranked)
    entries = build(partition)
    fractions = []
    verify(partition, entries, fractions.append)
    assert fractions[-1] == 1
    changes = [
        (rank_placement(placement, 8) if ranked else placement[0] + 8 * placement[1], value)
        for placement, value in WRONG[ranked:]
    ]
    everywhere = enumerate(entries[: partition.lengths[0]].tolist())
    changes += [(index, 7 if entry == 255 else entry + 1) for index, entry in everywhere]
    for index, value in changes:
        wrong = entries.copy()
        wrong[index] = value
        with pytest.raises(DamagedFileError, match=r"\(1, 2\) on 4×2 boards"):
            verify(partition, wrong)


SIZES = [
    Size(width, height) for width in range(2, 19) for height in range(2, 19) if width * height <= 36
]


def test_every_size_has_patterns_of_adjacent_tiles():
    for size in SIZES:
        partitions = partitions_for(size)
        assert len({partition.name for partition in partitions}) == len(partitions) > 0
        for partition in partitions:
            assert partition.size == size
            tiles = sorted(tile for pattern in partition.patterns for tile in pattern)
            assert tiles == list(range(1, size.cells))
            assert max(map(len, partition.patterns)) <= 8  # the orders of up to 8 tiles fit 16 bits
            assert not partition.ranked or size.cells <= MAX_RANKED_CELLS
            assert partition.name == "-".join(str(len(pattern)) for pattern in partition.patterns)
            assert find_partition(size, partition.name) == partition
            assert find_partition_by_title(partition.title) == partition
            for pattern in partition.patterns:
                cells = {tile - 1 for tile in pattern}
                reached = [cells.pop()]
                for cell in reached:
                    adjacent = cells & {*adjacent_cells(cell, size.width, size.cells)}
                    reached += adjacent
                    cells -= adjacent
                assert not cells


def test_unknown_names_are_quoted():
    with pytest.raises(OptionError, match="no pattern databases"):
        find_partition(Size(6, 7), "1")
    with pytest.raises(OptionError, match="'6-7'; choose from 6-6-6-6, 5-5-5-5-4"):
        find_partition(Size(5, 5), "6-7")
    for title in ("", "5x5", "6-6-6-6", "5x5 6-7", "x 6-6-6-6", "-1x5 6"):
        with pytest.raises(OptionError, match=f"{title!r}|no partition|no pattern"):
            find_partition_by_title(title)


@pytest.mark.parametrize(("tiles", "cells"), [(1, 4), (3, 4), (4, 16), (7, 8)])
def test_indices_have_no_gaps(tiles, cells):
    indices = set()
    for placement in permutations(range(cells), tiles):
        indices.add(index := rank_placement(placement, cells))
        assert unrank_placement(index, tiles, cells) == placement
    assert indices == set(range(perm(cells, tiles)))
    # Files are written with this index.
    assert [rank_placement((3, 0, 7), 8), rank_placement((1, 2, 0), 16)] == [150, 2240]


def pattern_distances(goal_cells, goal_blank, width, height):
    """Return the fewest moves of the pattern's tiles to the goal, keyed by their cells."""
    smallest = {}
    for (placement, _), moves in pattern_states((goal_cells, goal_blank), width, width * height):
        smallest.setdefault(placement, moves)
    return smallest


def zero_aware_distances(goal_cells, goal_blank, width, height, small_cells):
    """Return the smallest distance of each placement, with flags for regions that need more.

    64 is for regions of at most ``small_cells`` cells, 128 for larger ones.
    """
    states = dict(pattern_states((goal_cells, goal_blank), width, width * height))
    entries = {}
    for placement in {placement for placement, _ in states}:
        regions, free = [], set(range(width * height)) - {*placement}
        while free:
            region, stack = set(), [min(free)]
            while stack:
                cell = stack.pop()
                region.add(cell)
                stack += set(adjacent_cells(cell, width, width * height)) & free - region
            regions.append(region)
            free -= region
        moves = {False: [], True: []}
        for region in regions:
            moves[len(region) > small_cells] += [states[placement, cell] for cell in region]
        entries[placement] = smallest = min(moves[False] + moves[True])
        for is_large, flag in ((False, 64), (True, 128)):
            if moves[is_large] and min(moves[is_large]) > smallest:
                entries[placement] += flag
    return entries
