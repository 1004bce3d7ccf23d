"""Lower bounds of boards, against naive distances, breadth-first search and published lengths."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.instances import load_instances
from tests.support.strategies import boards
from tests.unit.solver.optimal.naive_search import count_conflict_moves
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.metric import BoundProof
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns, RankedPatterns
from tilework.core.solver.heuristics.lower_bounds import (
    best_lower_bound,
    find_groups_in_need,
    lower_bound,
)
from tilework.core.solver.kernels.minimum_cover import find_minimum_cover
from tilework.core.solver.optimal.engines import LineEngine
from tilework.core.solver.optimal.move_pruning import pruning_rules
from tilework.core.solver.pdb.breadth_first import build
from tilework.core.solver.pdb.partitions import Partition


@given(data=st.data())
def test_equals_manhattan_distance_without_conflicts(data):
    goal = data.draw(boards(largest=9))
    board = data.draw(boards(size=tuple(goal.size)))
    expected = naive.manhattan(board.cells.tolist(), goal.cells.tolist(), goal.width)
    assert lower_bound(board, goal, conflicts=False) == expected
    assert (lower_bound(board, goal) - expected) % 2 == 0
    assert lower_bound(board, goal) >= expected


@pytest.mark.parametrize("size", [(4, 4), (6, 6), (2, 5), (1, 6), (12, 3)])
def test_linear_conflicts_add_the_fewest_moves_that_resolve_them(size):
    width, height = size
    random = np.random.default_rng(width)
    for _ in range(8):
        goal = random.permutation(width * height)
        # Most tiles stay in their rows, so that there are conflicts.
        tiles = goal.reshape(height, width).copy()
        for row in tiles:
            random.shuffle(row)
        cells = tiles.reshape(-1)
        expected = naive.manhattan(cells.tolist(), goal.tolist(), width)
        expected += count_conflict_moves(cells.tolist(), goal.tolist(), width)
        engine = LineEngine("lines", Board(goal, width, height), pruning_rules(Size(*size), 2))
        assert engine.start(Board(cells, width, height)).estimate == expected


def compute_bound(board, goal, length):
    bound = best_lower_bound(board, goal, Limits(nodes=20_000))
    assert lower_bound(board, goal) <= bound.value <= length
    assert (bound.value - length) % 2 == 0
    return bound.value


@pytest.mark.parametrize("size", [(3, 3), (2, 4)])
def test_is_a_lower_bound_with_the_parity_of_the_distance(size):
    random = np.random.default_rng(size[0])
    width, height = size
    stronger = 0
    goal = random.permutation(width * height)
    lengths = list(naive.distances(tuple(goal.tolist()), width).items())
    target = Board(goal, width, height)
    for tiles, length in lengths[:: 1 + len(lengths) // 12]:
        board = Board(tiles, width, height)
        stronger += compute_bound(board, target, length) > lower_bound(board, target)
    assert stronger > 3


@pytest.mark.parametrize(
    ("name", "make_goal", "minimum_mean"),
    [
        ("korf100_15puzzle.txt", blank_first, 4.0),
        ("hardest_15puzzle.txt", blank_last, 5.0),
        ("korf50_24puzzle.txt", blank_first, 3.0),
    ],
)
def test_never_exceeds_published_lengths(name, make_goal, minimum_mean):
    gains = []
    for instance in load_instances(name)[::5]:
        board, goal = instance.board, make_goal(instance.board.size)
        gains.append(compute_bound(board, goal, instance.length) - lower_bound(board, goal))
    assert np.mean(gains) >= minimum_mean


def test_each_bound_has_its_simplest_proof():
    goal = blank_last(Size(3, 3))
    one_move = Board([1, 2, 3, 4, 5, 6, 7, 0, 8])
    assert best_lower_bound(one_move, goal).proof is BoundProof.MANHATTAN
    rotated = Board([3, 2, 1, 4, 5, 6, 7, 8, 0], 3)
    weaker = best_lower_bound(rotated, goal, Limits(nodes=0))
    assert (weaker.value, weaker.proof) == (8, BoundProof.LINEAR_CONFLICT)
    far = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    assert best_lower_bound(far, goal).proof is BoundProof.TILE_GROUPS
    huge = blank_last(Size(60, 60))
    assert best_lower_bound(scramble(huge.size, huge, 1), huge).proof is BoundProof.LINEAR_CONFLICT


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
    goal = Board(random.permutation(size[0] * size[1]), *size)
    board = scramble(goal.size, goal, int(random.integers(1 << 30)))
    # Small groups come first.
    groups = find_groups_in_need(board, goal, Limits(nodes=100_000))
    needs = {frozenset(tiles): need for tiles, need in groups if len(tiles) <= 3}
    pairs = map(frozenset, combinations(range(1, board.size.cells), 2))
    for tiles in {*list(needs)[:10], *pairs}:
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


def estimate(patterns, cells):
    return (patterns.make_words(cells) & 255).reshape(2, -1).sum(axis=1).max()


CORNER = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)))
# (6, 8) encloses the last cell.
ANYWHERE = Partition("4-4", Size(3, 3), ((1, 2, 6, 8), (3, 4, 5, 7)), allows_any_blank=True)


@pytest.mark.parametrize(
    ("partition", "goal"),
    [
        (CORNER, Board([1, 2, 3, 4, 5, 6, 7, 8, 0])),
        (CORNER, Board([3, 1, 0, 7, 8, 2, 5, 4, 6])),
        (ANYWHERE, Board([5, 1, 8, 2, 0, 7, 3, 6, 4])),
        (None, Board([2, 0, 3, 1])),
        (None, Board([4, 1, 0, 3, 5, 2], 3, 2)),
        (None, Board([4, 1, 0, 7, 3, 5, 2, 6], 2, 4)),
    ],
)
def test_patterns_are_lower_bounds_with_the_parity_of_the_distance(partition, goal):
    if partition is None:
        patterns = AdditivePatterns.from_small_board(goal)
    else:
        patterns = AdditivePatterns.from_partition(partition, build(partition), goal)
    cells, stronger = tuple(goal.cells.tolist()), 0
    lengths = list(naive.distances(cells, goal.width).items())
    step = 397 if partition else 1
    for tiles, length in lengths[::step]:
        value = estimate(patterns, np.array(tiles))
        manhattan = naive.manhattan(tiles, cells, goal.width)
        assert manhattan * bool(partition) <= value <= length
        assert value % 2 == length % 2
        stronger += value - manhattan
    assert stronger >= (120 if partition else 0)
    assert estimate(patterns, goal.cells) == 0


def test_region_of_the_blank_raises_lower_bounds():
    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    partition = replace(CORNER, ranked=True)
    entries, board = build(partition), Board(goal)
    zero_aware, smallest = (
        RankedPatterns(partition, entries, board, zero_aware=zero_aware)
        for zero_aware in (True, False)
    )
    digits = AdditivePatterns.from_partition(CORNER, build(CORNER), board)
    raised = 0
    for tiles, length in list(naive.distances(goal, 3).items())[::397]:
        cells = np.array(tiles)
        placements, blank = zero_aware.placements(cells), tiles.index(0)
        values = zero_aware.distances(placements, blank).reshape(2, -1).sum(axis=1)
        distances = smallest.distances(placements, blank)
        assert np.array_equal(distances, digits.entries[digits.indices(cells)])
        assert values.max() <= length
        assert values[0] % 2 == values[1] % 2 == length % 2
        raised += values.max() > distances.reshape(2, -1).sum(axis=1).max()
    assert raised > 60
