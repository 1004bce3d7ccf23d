from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from tests.support import naive
from tests.support.instances import instances
from tilework.core.errors import OptionError
from tilework.core.lab.heuristics import pattern_tables
from tilework.core.lab.heuristics.pattern_database import PatternDatabase
from tilework.core.lab.heuristics.pattern_tables import UNREACHED, make_tables
from tilework.core.lab.problem import Problem
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral


def pattern_database(goal):
    return PatternDatabase(Problem(goal, goal))


def moves_of(pattern, goal, width):
    """Least moves of a pattern's tiles from each board, by 0-1 search; other tiles are alike."""
    start = tuple(tile if tile in pattern or tile == 0 else -1 for tile in goal)
    fewest = {start: 0}
    queue = deque([start])
    while queue:
        board = queue.popleft()
        for letter in naive.WAYS:
            after = naive.moved(board, width, letter)
            if after is None:
                continue
            cost = int(after[board.index(0)] != -1)
            if fewest[board] + cost < fewest.get(after, 1_000):
                fewest[after] = fewest[board] + cost
                (queue.append if cost else queue.appendleft)(after)
    return fewest


@pytest.mark.parametrize(
    ("goal", "patterns"),
    [
        (blank_last(Size(3, 3)), [(1, 2, 3, 4), (5, 6, 7, 8)]),
        (blank_first(Size(4, 2)), [(1, 2, 3, 4), (5, 6, 7)]),
        (spiral(Size(2, 3)), [(1, 2, 5, 3), (4,)]),
        (Board([3, 1, 0, 2]), [(3, 1, 2)]),
    ],
)
def test_the_sum_of_what_each_pattern_takes(goal, patterns):
    cells = tuple(goal.cells.tolist())
    tables = [(pattern, moves_of(pattern, cells, goal.width)) for pattern in patterns]
    estimate = pattern_database(goal)
    for tiles in list(naive.distances(cells, goal.width))[::17]:
        assert estimate(tiles) == sum(
            table[tuple(tile if tile in pattern or tile == 0 else -1 for tile in tiles)]
            for pattern, table in tables
        )


def test_a_pattern_of_all_tiles_is_the_distance():
    goal = blank_last(Size(2, 2))
    estimate = pattern_database(goal)
    for tiles, length in naive.distances((1, 2, 3, 0), 2).items():
        assert estimate(tiles) == length


@pytest.mark.parametrize(
    ("file_name", "size"), [("korf100_15puzzle.txt", (4, 4)), ("korf50_24puzzle.txt", (5, 5))]
)
def test_between_manhattan_and_known_lengths(file_name, size):
    goal = blank_first(Size(*size))
    estimate = pattern_database(goal)
    ahead = 0
    for instance in instances(file_name):
        distance = naive.manhattan(instance.tiles, tuple(goal.cells.tolist()), size[0])
        found = estimate(instance.tiles)
        assert distance <= found <= instance.length
        ahead += found > distance
    assert ahead > 20


@pytest.mark.parametrize("size", [(9, 9), (10, 3)])
def test_any_size_has_tables(size):
    goal = blank_last(Size(*size))
    estimate = pattern_database(goal)
    cells = tuple(goal.cells.tolist())
    board = cells
    random = np.random.default_rng(3)
    for letter in random.choice(list("UDLR"), 300):
        board = naive.moved(board, size[0], letter) or board
    assert estimate(cells) == 0
    assert naive.manhattan(board, cells, size[0]) <= estimate(board) <= 300


@pytest.mark.parametrize("size", [(20, 20), (101, 1)])
def test_over_a_hundred_cells_manhattan_distance_tells_as_much(size):
    with pytest.raises(OptionError, match=f"{size[0]}×{size[1]} .* no better than manhattan"):
        pattern_database(blank_last(Size(*size)))


@pytest.mark.parametrize("tiles", [[0], [1, 0], [1, 2, 3, 4, 5, 0]])
def test_one_row(tiles):
    goal = Board(tiles, len(tiles), 1)
    board = (0, *(tile for tile in tiles if tile))
    assert pattern_database(goal)(board) == len(tiles) - 1


def test_every_placement_of_a_pattern_is_in_its_table():
    bits, ((pattern, table),) = make_tables(3, 3, 8, ((0, 4),))
    cells = range(9)
    assert pattern == (0, 4)
    for one in cells:
        for other in cells:
            for blank in cells:
                known = table[(other << bits | one) << bits | blank] != UNREACHED
                assert known is (len({one, other, blank}) == 3)


def test_a_table_never_holds_more_than_a_byte(monkeypatch):
    patterns = ((0, 1, 2), (3, 4, 5))
    make_tables.cache_clear()
    monkeypatch.setattr(pattern_tables, "MOST_MOVES", 3)
    with pytest.raises(OptionError, match="a placement of a pattern is 4 moves from its goal"):
        make_tables(3, 3, 8, patterns)
