"""Boards of two rows, all of them or many, against a flood that shares nothing with the solver."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.instances import level_counts
from tests.unit.solver.slides import flood
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import FOUND, NEXT_THRESHOLD, NO_F
from tilework.core.solver.kernels.slides.depth_first import BLANK, REPORT_LENGTH, search_slides
from tilework.core.solver.slides.patterns import SlidePatterns
from tilework.core.solver.slides.tables import SlideTables

AT_ONCE = 100_000
NO_END = 1 << 62


@numba.njit
def boards_of(numbers, width, height):
    boards = np.empty((numbers.size, width * height), dtype=np.int64)
    for place in range(numbers.size):
        flood.board_of(numbers[place], boards[place], width)
    return boards


@numba.njit
def fewest(entries, shifts, neighbors, boards, indices):
    """IDA* for each board, as `ida_star_slides` makes it."""
    found = np.zeros(len(boards), dtype=np.int64)
    ways, steps = np.zeros(100, dtype=np.int64), np.zeros(100, dtype=np.int64)
    for place in range(len(boards)):
        threshold = 0
        for index in indices[place]:
            threshold = max(threshold, np.int64(entries[index]))
        blank = 0
        while boards[place, blank] != 0:
            blank += 1
        while threshold > 0:
            report = np.zeros(REPORT_LENGTH, dtype=np.int64)
            report[BLANK], report[NEXT_THRESHOLD] = blank, NO_F
            ways[:], steps[:] = 0, 0
            status = search_slides(
                entries, shifts, neighbors, threshold, NO_END,
                boards[place].copy(), indices[place].copy(), ways, steps, report,
            )  # fmt: skip
            if status == FOUND:
                break
            threshold = report[NEXT_THRESHOLD]
        found[place] = threshold
    return found


def check(size: Size, depths: NDArray[np.uint8], numbers: Iterable[NDArray[np.int64]]) -> None:
    """Compare what the search finds with the depths of boards."""
    patterns = SlidePatterns(size, size.cells - 1)
    tables = SlideTables(patterns, patterns.build())
    for some in numbers:
        boards = boards_of(some, *size)
        indices = np.array([tables.indices(board) for board in boards])
        found = fewest(tables.entries, tables.shifts, tables.neighbors, boards, indices)
        wrong = found != depths[some]
        assert not wrong.any(), boards[wrong][0]


def flooded(size: Size) -> NDArray[np.uint8]:
    depths = flood.distances(*size)
    width, height = sorted(size, reverse=True)
    assert np.bincount(depths).tolist() == level_counts(width, height, "mtm")
    return depths


@pytest.mark.parametrize("size", [(3, 2), (2, 3), (4, 2), (2, 4), (3, 3)], ids=str)
def test_all_small_boards(size: tuple[int, int]) -> None:
    depths = flooded(Size(*size))
    some = np.array(random.Random(1).sample(range(depths.size), min(depths.size, 2_000)))
    check(Size(*size), depths, [some])


@pytest.mark.slow
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("size", [(5, 2), (2, 5)], ids=str)
def test_all_boards_of_ten_cells(size: tuple[int, int]) -> None:
    depths = flooded(Size(*size))
    every = np.arange(depths.size)
    check(Size(*size), depths, np.array_split(every, depths.size // AT_ONCE))


@pytest.mark.slow
@pytest.mark.timeout(2_400)
@pytest.mark.parametrize("size", [(6, 2), (2, 6)], ids=str)
def test_many_boards_of_twelve_cells(size: tuple[int, int]) -> None:
    """Seeded ones, and all that are farthest."""
    depths = flooded(Size(*size))
    some = np.random.default_rng(1).integers(0, depths.size, AT_ONCE)
    farthest = np.flatnonzero(depths >= depths.max() - 3)
    check(Size(*size), depths, [some, farthest])
