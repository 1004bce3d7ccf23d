import numpy as np
import pytest

from tests.support import naive
from tests.support.instances import load_instances
from tilework.core.errors import OptionError
from tilework.core.lab.heuristics import pattern_database
from tilework.core.lab.heuristics.pattern_database import PatternDatabase, make_tables
from tilework.core.lab.heuristics.walking_distance import WalkingDistance
from tilework.core.lab.problem import Problem
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral


def make_pattern_databases(goal):
    return PatternDatabase(Problem(goal, goal))


def make_walking_distance(goal):
    return WalkingDistance(Problem(goal, goal))


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
    placements = [naive.find_pattern(cells, pattern) for pattern in patterns]
    tables = [dict(naive.pattern_states(start, goal.width, len(cells))) for start in placements]
    estimate = make_pattern_databases(goal)
    for tiles in list(naive.distances(cells, goal.width))[::17]:
        assert estimate(tiles) == sum(
            table[naive.find_pattern(tiles, pattern)]
            for pattern, table in zip(patterns, tables, strict=True)
        )


def test_pattern_of_all_tiles_gives_the_exact_distance():
    estimate = make_pattern_databases(blank_last(Size(2, 2)))
    for tiles, length in naive.distances((1, 2, 3, 0), 2).items():
        assert estimate(tiles) == length
    for row in ([0], [1, 0], [1, 2, 3, 4, 5, 0]):
        board = (0, *(tile for tile in row if tile))
        assert make_pattern_databases(Board(row, len(row), 1))(board) == len(row) - 1


def test_values_are_between_manhattan_and_optimal_lengths():
    check_optimal_lengths("korf100_15puzzle.txt", 4)


def check_optimal_lengths(file_name, side):
    goal = blank_first(Size(side, side))
    estimate = make_pattern_databases(goal)
    estimate_walking = make_walking_distance(goal) if side == 4 else estimate
    stronger = 0
    for instance in load_instances(file_name):
        distance = naive.manhattan(instance.tiles, tuple(goal.cells.tolist()), side)
        value = estimate(instance.tiles)
        assert distance <= value <= instance.length
        assert distance <= estimate_walking(instance.tiles) <= instance.length
        stronger += value > distance
    assert stronger > 20


def test_pattern_databases_of_any_size():
    size = Size(10, 3)
    goal = blank_last(size)
    estimate = make_pattern_databases(goal)
    board = cells = tuple(goal.cells.tolist())
    for letter in np.random.default_rng(3).choice(list("UDLR"), 300):
        board = naive.apply_move(board, size[0], letter) or board
    assert estimate(cells) == 0
    assert naive.manhattan(board, cells, size[0]) <= estimate(board) <= 300
    # Above a hundred cells it would equal Manhattan distance.
    with pytest.raises(OptionError, match=r"101×1 .* no better than manhattan"):
        make_pattern_databases(blank_last(Size(101, 1)))


def test_table_values_fit_a_byte(monkeypatch):
    make_tables.cache_clear()
    monkeypatch.setattr(pattern_database, "MAX_MOVES", 3)
    with pytest.raises(OptionError, match="a placement of a pattern is 4 moves from its goal"):
        make_tables(3, 3, 8, ((0, 1, 2), (3, 4, 5)))


def make_row_search(goal, width):
    """Return a function for the vertical moves: breadth-first search of boards reduced to rows."""
    goal_row = {tile: cell // width for cell, tile in enumerate(goal)}

    def sort_rows(tiles):
        rows = zip(*[iter(tiles)] * width, strict=True)
        return tuple(tuple(sorted(goal_row[tile] if tile else -1 for tile in row)) for row in rows)

    depth = {sort_rows(goal): 0}
    queue = [sort_rows(goal)]
    for rows in queue:
        blank = next(index for index, row in enumerate(rows) if row[0] == -1)
        for neighbor in (blank - 1, blank + 1):
            if 0 <= neighbor < len(rows):
                for tile in set(rows[neighbor]):
                    moved = [list(row) for row in rows]
                    moved[neighbor][moved[neighbor].index(tile)] = -1
                    moved[blank][0] = tile
                    key = tuple(tuple(sorted(row)) for row in moved)
                    if key not in depth:
                        depth[key] = depth[rows] + 1
                        queue.append(key)
    return lambda tiles: depth[sort_rows(tiles)]


def transpose(tiles, width):

    return tuple(tile for column in range(width) for tile in tiles[column::width])


@pytest.mark.parametrize(
    "goal", [blank_last(Size(3, 3)), spiral(Size(4, 3)), blank_first(Size(2, 4))]
)
def test_walking_distance_adds_rows_and_columns(goal):
    width, height = goal.size
    tiles = tuple(goal.cells.tolist())
    rows, columns = make_row_search(tiles, width), make_row_search(transpose(tiles, width), height)
    estimate = make_walking_distance(goal)
    random = np.random.default_rng(1)
    for _ in range(100):
        board = tuple(random.permutation(width * height).tolist())
        assert estimate(board) == rows(board) + columns(transpose(board, width))


def test_sizes_accepted_by_walking_distance():
    for size in ((5, 5), (5, 3), (3, 5), (6, 2), (11, 1)):
        with pytest.raises(OptionError, match=rf"{size[0]}×{size[1]} boards; .* up to 4×4 and 5×2"):
            make_walking_distance(blank_last(Size(*size)))
    assert make_walking_distance(blank_last(Size(5, 2)))((*range(1, 10), 0)) == 0
    assert make_walking_distance(Board([0]))((0,)) == 0
    assert make_walking_distance(blank_last(Size(3, 1)))((0, 1, 2)) == 2
