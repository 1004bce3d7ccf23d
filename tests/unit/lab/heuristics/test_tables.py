from collections import deque

import numpy as np
import pytest

from tests.support import naive
from tests.support.instances import instances
from tilework.core.errors import OptionError
from tilework.core.lab.heuristics import pattern_database
from tilework.core.lab.heuristics.pattern_database import PatternDatabase, make_tables
from tilework.core.lab.heuristics.walking_distance import WalkingDistance
from tilework.core.lab.problem import Problem
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral


def databases(goal):
    return PatternDatabase(Problem(goal, goal))


def walking_distance(goal):
    return WalkingDistance(Problem(goal, goal))


def count_moves(pattern, goal, width):
    """Return the minimum moves of a pattern's tiles for each board, by 0-1 search."""
    start = tuple(tile if tile in pattern or tile == 0 else -1 for tile in goal)
    fewest = {start: 0}
    queue = deque([start])
    while queue:
        board = queue.popleft()
        for letter in naive.OFFSETS:
            after = naive.apply_move(board, width, letter)
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
        (blank_first(Size(4, 2)), [(1, 2, 3, 4), (5, 6, 7)]),
        (spiral(Size(2, 3)), [(1, 2, 5, 3), (4,)]),
        (Board([3, 1, 0, 2]), [(3, 1, 2)]),
    ],
)
def test_pattern_database_is_the_sum_of_its_patterns(goal, patterns):
    cells = tuple(goal.cells.tolist())
    tables = [(pattern, count_moves(pattern, cells, goal.width)) for pattern in patterns]
    estimate = databases(goal)
    for tiles in list(naive.distances(cells, goal.width))[::17]:
        assert estimate(tiles) == sum(
            table[tuple(tile if tile in pattern or tile == 0 else -1 for tile in tiles)]
            for pattern, table in tables
        )


def test_pattern_of_all_tiles_is_the_exact_distance():
    estimate = databases(blank_last(Size(2, 2)))
    for tiles, length in naive.distances((1, 2, 3, 0), 2).items():
        assert estimate(tiles) == length
    for row in ([0], [1, 0], [1, 2, 3, 4, 5, 0]):
        board = (0, *(tile for tile in row if tile))
        assert databases(Board(row, len(row), 1))(board) == len(row) - 1


def test_values_are_between_manhattan_and_known_lengths():
    check_known_lengths("korf100_15puzzle.txt", 4)


def check_known_lengths(file_name, side):
    goal = blank_first(Size(side, side))
    estimate = databases(goal)
    walked = walking_distance(goal) if side == 4 else estimate
    ahead = 0
    for instance in instances(file_name):
        distance = naive.manhattan(instance.tiles, tuple(goal.cells.tolist()), side)
        value = estimate(instance.tiles)
        assert distance <= value <= instance.length
        assert distance <= walked(instance.tiles) <= instance.length
        ahead += value > distance
    assert ahead > 20


def test_pattern_databases_of_any_size():
    size = Size(10, 3)
    goal = blank_last(size)
    estimate = databases(goal)
    board = cells = tuple(goal.cells.tolist())
    for letter in np.random.default_rng(3).choice(list("UDLR"), 300):
        board = naive.apply_move(board, size[0], letter) or board
    assert estimate(cells) == 0
    assert naive.manhattan(board, cells, size[0]) <= estimate(board) <= 300
    # Above a hundred cells it would equal Manhattan distance.
    with pytest.raises(OptionError, match=r"101×1 .* no better than manhattan"):
        databases(blank_last(Size(101, 1)))


def test_table_values_fit_a_byte(monkeypatch):
    make_tables.cache_clear()
    monkeypatch.setattr(pattern_database, "MAX_MOVES", 3)
    with pytest.raises(OptionError, match="a placement of a pattern is 4 moves from its goal"):
        make_tables(3, 3, 8, ((0, 1, 2), (3, 4, 5)))


def between_rows(goal, width):
    """Return the vertical moves by breadth-first search over boards reduced to rows."""
    home = {tile: cell // width for cell, tile in enumerate(goal)}

    def sort_rows(tiles):
        rows = zip(*[iter(tiles)] * width, strict=True)
        return tuple(tuple(sorted(home[tile] if tile else -1 for tile in row)) for row in rows)

    depth = {sort_rows(goal): 0}
    queue = [sort_rows(goal)]
    for rows in queue:
        blank = next(index for index, row in enumerate(rows) if row[0] == -1)
        for other in (blank - 1, blank + 1):
            if 0 <= other < len(rows):
                for tile in set(rows[other]):
                    after = [list(row) for row in rows]
                    after[other][after[other].index(tile)] = -1
                    after[blank][0] = tile
                    known = tuple(tuple(sorted(row)) for row in after)
                    if known not in depth:
                        depth[known] = depth[rows] + 1
                        queue.append(known)
    return lambda tiles: depth[sort_rows(tiles)]


def transpose(tiles, width):
    """Return the transposed board."""
    return tuple(tile for column in range(width) for tile in tiles[column::width])


@pytest.mark.parametrize(
    "goal", [blank_last(Size(3, 3)), spiral(Size(4, 3)), blank_first(Size(2, 4))]
)
def test_walking_distance_adds_rows_and_columns(goal):
    width, height = goal.size
    tiles = tuple(goal.cells.tolist())
    rows, columns = between_rows(tiles, width), between_rows(transpose(tiles, width), height)
    estimate = walking_distance(goal)
    random = np.random.default_rng(1)
    for _ in range(100):
        board = tuple(random.permutation(width * height).tolist())
        assert estimate(board) == rows(board) + columns(transpose(board, width))


def test_sizes_accepted_by_walking_distance():
    for size in ((5, 5), (5, 3), (3, 5), (6, 2), (11, 1)):
        with pytest.raises(OptionError, match=rf"{size[0]}×{size[1]} boards; .* up to 4×4 and 5×2"):
            walking_distance(blank_last(Size(*size)))
    assert walking_distance(blank_last(Size(5, 2)))((*range(1, 10), 0)) == 0
    assert walking_distance(Board([0]))((0,)) == 0
    assert walking_distance(blank_last(Size(3, 1)))((0, 1, 2)) == 2
