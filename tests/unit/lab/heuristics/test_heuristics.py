import numpy as np
import pytest

from tests.support import naive
from tests.unit.solver.optimal.naive_search import count_conflict_moves
from tilework.core.errors import OptionError
from tilework.core.lab.heuristics import pattern_database
from tilework.core.lab.heuristics.hamming import HammingDiagonal
from tilework.core.lab.heuristics.linear_conflict import LinearConflict
from tilework.core.lab.heuristics.pattern_database import PatternDatabase, make_tables
from tilework.core.lab.heuristics.walking_distance import WalkingDistance
from tilework.core.lab.methods import HEURISTICS, LabHeuristic
from tilework.core.lab.problem import Problem
from tilework.core.lab.run import make_heuristic
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


def estimate(heuristic, tiles, goal):
    return make_heuristic(LabHeuristic(heuristic), Problem(goal, goal))(tuple(tiles))


def check_guarantees(goal, step=1):
    """Check the guarantees of all heuristics on the nearest boards and a sample of the others."""
    distances = naive.distances(tuple(goal.cells.tolist()), goal.width)
    boards = list(distances)
    boards = boards[:60] + boards[60::step]
    problem = Problem(goal, goal)
    estimates = {name: make_heuristic(name, problem) for name in LabHeuristic}
    for name, facts in HEURISTICS.items():
        values = {tiles: estimates[name](tiles) for tiles in boards}
        assert values[boards[0]] == min(values.values()) == 0
        error = max(value - distances[tiles] for tiles, value in values.items())
        largest_change = max(
            abs(value - estimates[name](neighbor))
            for tiles, value in values.items()
            for letter in "UL"  # the other two undo these
            if (neighbor := naive.apply_move(tiles, goal.width, letter)) is not None
        )
        assert (name, error <= 0) == (name, facts.admissible)
        assert (name, largest_change <= 1) == (name, facts.consistent)
        assert name is not LabHeuristic.HAMMING_BLANK or error == 1
    for tiles in boards:
        value = {str(name): estimates[name](tiles) for name in LabHeuristic}
        stronger = (value[name] for name in ("linear-conflict", "pattern-database"))
        assert min(*stronger, value["walking-distance"]) >= value["manhattan"]
        assert value["manhattan"] >= value["mean"] >= value["hamming"]
        assert value["manhattan"] == value["maximum"] >= value["faulty"]


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        (blank_last(Size(3, 3)), 997),
        (Board([3, 1, 4, 8, 0, 2, 6, 5, 7]), 997),
        (blank_first(Size(3, 2)), 1),
        (spiral(Size(2, 3)), 1),
        (blank_last(Size(2, 2)), 1),
    ],
)
def test_guarantees(goal, step):
    check_guarantees(goal, step)


def test_published_values_of_a_board():
    tiles, goal = (8, 1, 3, 4, 0, 2, 7, 6, 5), blank_last(Size(3, 3))
    values = {"zero": 0, "hamming": 5, "hamming-blank": 6, "manhattan": 10}
    values |= {"mean": 7.5, "mean-blank": 8, "sum": 15, "maximum": 10}
    assert {name: estimate(name, tiles, goal) for name in values} == values
    # The heuristic of the published greedy search.
    assert HammingDiagonal(Problem(goal, goal))(tiles) == 6 + 10


def test_faulty_heuristic_is_zero_on_other_boards():
    goal = blank_last(Size(3, 3))
    # 2 and 4, and 3 and 7, are swapped: each is as many rows as columns from its goal.
    assert estimate("faulty", (1, 4, 7, 2, 5, 6, 3, 8, 0), goal) == 0
    assert estimate("faulty", (8, 2, 3, 4, 5, 6, 7, 1, 0), goal) == 3 + 3


@pytest.mark.parametrize("size", [(3, 3), (5, 2), (2, 7), (6, 6)])
def test_simple_heuristics_on_any_board_and_goal(size):
    width, height = size
    random = np.random.default_rng(width)
    for _ in range(10):
        goal = random.permutation(width * height)
        # Most tiles stay in their rows, so that there are conflicts.
        tiles = random.permuted(goal.reshape(height, width), axis=1).reshape(-1).tolist()
        goal = goal.tolist()
        board = Board(goal, width, height)
        hamming, manhattan = naive.hamming(tiles, goal), naive.manhattan(tiles, goal, width)
        wrong = sum(tile != goal_tile for tile, goal_tile in zip(tiles, goal, strict=True))
        expected = {
            "hamming": hamming,
            "hamming-blank": wrong,
            "manhattan": manhattan,
            "mean": (hamming + manhattan) / 2,
            "mean-blank": (wrong + manhattan) / 2,
            "sum": hamming + manhattan,
            "maximum": max(hamming, manhattan),
            "linear-conflict": manhattan + count_conflict_moves(tiles, goal, width),
        }
        assert {name: estimate(name, tiles, board) for name in expected} == expected


def test_evicted_lines_are_recomputed(monkeypatch):
    goal = blank_last(Size(3, 3))
    monkeypatch.setattr("tilework.core.lab.heuristics.linear_conflict._CACHED_LINES", 6)
    heuristic = LinearConflict(Problem(goal, goal))
    boards = [(2, 1, 3, 4, 5, 6, 7, 8, 0), (1, 2, 3, 5, 4, 6, 7, 8, 0), tuple(goal.cells.tolist())]
    assert [heuristic(board) for board in boards * 2] == [4, 4, 0, 4, 4, 0]
