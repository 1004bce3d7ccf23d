"""Tile groups and their minimum cover, against simple searches and enumerations."""

from itertools import combinations, product

import numpy as np
import pytest

from tests.support import naive
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.heuristics.lower_bounds import cover_needs, find_groups_in_need
from tilework.core.solver.kernels.tile_groups import find_minimum_cover

MAX_NEED = 8


def compute_need(tiles, board, goal):
    start, end = board.cells.tolist(), goal.cells.tolist()
    others = [tile for tile in start if tile not in tiles and tile != 0]
    without_others = [0 if tile in others else tile for tile in start]
    distance = naive.manhattan(without_others, end, board.width)
    start, end = (naive.find_pattern(cells, tiles) for cells in (start, end))
    states = naive.pattern_states(start, board.width, board.size.cells)
    return next(moves for state, moves in states if state == end) - distance


@pytest.mark.parametrize("size", [(3, 3), (2, 4), (4, 3)])
def test_excess_of_groups_agrees_with_a_plain_search(size):
    random = np.random.default_rng(3)
    for _ in range(2):
        goal = Board(random.permutation(size[0] * size[1]), *size)
        board = scramble(goal.size, goal, int(random.integers(1 << 30)))
        # Small groups come first.
        groups = find_groups_in_need(board, goal, Limits(nodes=100_000))
        needs = {frozenset(tiles): need for tiles, need in groups if len(tiles) <= 3}
        pairs = map(frozenset, combinations(range(1, board.size.cells), 2))
        for tiles in {*list(needs)[:25], *pairs}:
            assert needs.get(tiles, 0) == min(compute_need(tuple(tiles), board, goal), MAX_NEED)


def test_regions_of_the_blank_on_a_board_over_64_cells():
    # Tiles 1 and 9 are on their goal cells, but enclose the blank in the corner.
    cells = np.arange(72)
    cells[[70, 71]] = 71, 70
    board = Board(cells, 9, 8)
    goal = Board([40, *range(1, 40), 0, *range(41, 72)], 9, 8)
    assert compute_need((1, 9), board, goal) == 4
    assert ({1, 9}, 4) in [
        (set(tiles), need) for tiles, need in find_groups_in_need(board, goal, Limits(nodes=20_000))
    ]


def test_limits_stop_the_search():
    goal = blank_last(Size(6, 6))
    board = scramble(goal.size, goal, 5)
    small, large, repeated = (
        find_groups_in_need(board, goal, Limits(nodes=nodes)) for nodes in (2_000, 50_000, 50_000)
    )
    assert large == repeated
    assert large[: len(small)] == small
    assert len(large) > len(small)
    for limits in (Limits(nodes=0), Limits(cancelled=lambda: True), Limits(seconds=0.0)):
        assert find_groups_in_need(board, goal, limits) == []


def test_minimum_cover_agrees_with_enumeration():
    random = np.random.default_rng(6)
    for _ in range(80):
        count = int(random.integers(2, 6))
        groups = int(random.integers(1, 7))
        lengths = random.integers(1, min(count, 4) + 1, groups)
        items = np.zeros((groups, 4), dtype=np.int64)
        for row, length in zip(items, lengths, strict=True):
            row[:length] = random.permutation(count)[:length]
        needs = 2 * random.integers(1, 3, groups)
        spent = np.zeros(1, dtype=np.int64)
        smallest = find_minimum_cover(items, lengths, needs, count, 0, 100_000, spent)
        sums = (
            sum(values)
            for values in product((0, 2, 4), repeat=count)
            if all(
                sum(values[item] for item in row[:length]) >= need
                for row, length, need in zip(items, lengths, needs, strict=True)
            )
        )
        assert smallest == min(sums)
        spent = np.zeros(1, np.int64)
        assert find_minimum_cover(items, lengths, needs, count, 0, 1, spent) <= smallest


def test_row_and_column_conflicts_are_distinguished():
    goal = Board([1, 2, 3, 4, 5, 6, 7, 8, 0])
    # Tile 1 or 2 must leave its row, and tile 1 or 4 its column.
    board = Board([2, 1, 3, 4, 5, 6, 7, 8, 0])
    assert cover_needs(board, goal, [((1, 2), 2), ((1, 4), 2)]) == 2
    swapped = Board([4, 2, 3, 1, 5, 6, 7, 8, 0])
    assert cover_needs(swapped, goal, [((1, 4), 2)]) == 2
    assert cover_needs(board, goal, []) == 0
