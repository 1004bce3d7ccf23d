"""All shortest solutions: their number, their moves, and the one with the fewest turns."""

from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.support import layers as oracle
from tests.support import naive
from tests.support.instances import read_level_counts
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.shortest_paths.find import Layers, find_shortest_paths
from tilework.core.solver.shortest_paths.graph import ShortestPaths

SIZE = Size(3, 3)


@pytest.fixture(scope="module")
def all_layers() -> list[oracle.Layer]:
    layers = list(oracle.layers(3, 3))
    assert [len(layer.boards) for layer in layers] == read_level_counts(3, 3)
    return layers


def find_path_starts(layers: list[oracle.Layer]) -> list[tuple[int, int]]:
    """Return boards whose shortest paths together contain all boards."""
    starts = []
    for depth, layer in enumerate(layers):
        neighbors = [
            oracle.slide_blank(layers[depth + 1].boards, step, 3, 9)[0]
            for step in (1, -1, 3, -3)
            if depth + 1 < len(layers)
        ]
        inner = np.concatenate(neighbors) if neighbors else np.zeros(0, dtype=np.int64)
        starts += [(depth, int(board)) for board in np.setdiff1d(layer.boards, inner)]
    return starts


def compare_paths(layers: list[oracle.Layer], starts: list[tuple[int, int]]) -> int:
    """Compare the shortest paths from every start; return the number of boards."""
    goal = blank_last(SIZE)
    compared = [np.zeros(len(layer.boards), dtype=bool) for layer in layers]
    for depth, board in starts:
        start = Board(oracle.unpack_tiles(board, 9), 3, 3)
        paths = Layers(start, goal, depth, Limits()).search()
        assert isinstance(paths, ShortestPaths)
        for distance, boards, counts in zip(
            range(depth, -1, -1), paths.layers, paths.count_paths(), strict=True
        ):
            layer = layers[distance]
            indices = np.searchsorted(layer.boards, boards)
            assert np.array_equal(layer.boards[indices], boards)
            assert np.array_equal(layer.counts[indices], counts)
            compared[distance][indices] = True
    return sum(int(entries.sum()) for entries in compared)


def test_counts_for_many_8_puzzles(all_layers: list[oracle.Layer]) -> None:
    assert compare_paths(all_layers, find_path_starts(all_layers)[-1::-1_000]) > 500


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (4, 2), (1, 4), (3, 3)], ids=str)
def test_other_sizes_and_goals(size: tuple[int, int]) -> None:
    goal = spiral(Size(*size))
    for seed in range(20):
        board = scramble(Size(*size), goal, seed)
        paths = find_shortest_paths(board, goal).graph
        tiles, goal_tiles = tuple(board.cells.tolist()), tuple(goal.cells.tolist())
        expected = find_all_shortest(tiles, goal_tiles, size[0])
        assert [to_letters(moves) for moves in paths.solutions()] == expected
        assert paths.count() == len(expected)
        fewest = min(expected, key=naive.count_slides)
        assert to_letters(paths.fewest_slides()) == fewest


def find_all_shortest(start: tuple[int, ...], goal: tuple[int, ...], width: int) -> list[str]:
    """Return every shortest solution, ordered by up, down, left, right."""
    distances = naive.distances(goal, width)
    paths = [("", start)]
    for length in reversed(range(distances[start])):
        paths = [
            (path + letter, neighbor)
            for path, tiles in paths
            for letter in "UDLR"
            if (neighbor := naive.apply_move(tiles, width, letter)) is not None
            and distances[neighbor] == length
        ]
    return [path for path, _ in paths]


def test_counts_beyond_64_bits() -> None:
    goal = blank_last(Size(2, 2))
    layer = np.zeros(1, dtype=np.int64)
    successors = np.array([[0, 0, 0, -1]], dtype=np.int32)
    paths = ShortestPaths(goal, goal, [layer] * 71, [successors] * 70)
    assert paths.count() == 3**70
    first, second = map(to_letters, islice(paths.solutions(), 2))
    assert (first, second) == ("U" * 70, "U" * 69 + "D")


def test_graph_has_every_board_and_move_once() -> None:
    goal = blank_last(SIZE)
    paths = find_shortest_paths(Board([8, 6, 7, 2, 5, 4, 3, 0, 1], 3, 3), goal).graph
    graph = paths.graph()
    assert len(set(graph.boards)) == len(graph.boards) == paths.boards
    assert len(graph.moves) == paths.moves
    assert (graph.path_counts[0], graph.path_counts[-1], graph.boards[-1]) == (40, 1, goal)
    for first, second, letter in graph.moves:
        tiles = naive.apply_move(tuple(graph.boards[first].cells.tolist()), 3, letter)
        assert tiles == tuple(graph.boards[second].cells.tolist())
        assert graph.depths[second] == graph.depths[first] + 1
    assert all(first <= second for first, second in pairwise(graph.depths))
    lines = list(graph.dot())
    assert sum(" -> " in line for line in lines) == paths.moves
    assert '  b0 [label="8 6 7\\n2 5 4\\n3 . 1"];' in lines


def test_limits_stop_the_search() -> None:
    goal = blank_last(SIZE)
    board = Board([8, 6, 7, 2, 5, 4, 3, 0, 1], 3, 3)
    for limits, reason in (
        (Limits(memory_bytes=2_000), StopReason.MEMORY),
        (Limits(nodes=200), StopReason.NODES),
        (Limits(seconds=0), StopReason.TIME),
    ):
        assert Layers(board, goal, 31, limits).search() is reason
    result = find_shortest_paths(board, goal, limits=Limits(cancelled=lambda: True))
    assert (result.graph, result.stopped_by) == (None, StopReason.CANCELLED)
    assert result.lower_bound <= 31


def test_15_puzzles_near_the_goal(pattern_databases: Path) -> None:
    goal = blank_last(Size(4, 4))
    for depth, layer in zip(range(13), oracle.layers(4, 4), strict=False):
        for index in range(0, len(layer.boards), 1 + len(layer.boards) // 2):
            board = Board(oracle.unpack_tiles(int(layer.boards[index]), 16), 4, 4)
            result = find_shortest_paths(board, goal, pdb_folder=pattern_databases)
            assert result.lower_bound == depth
            assert result.graph.count() == layer.counts[index]
