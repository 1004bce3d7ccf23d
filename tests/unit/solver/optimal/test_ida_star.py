import itertools

import pytest

from tests.support import naive
from tests.support.instances import load_instances
from tilework.core.errors import UnsolvableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import first_moves
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.optimal import ida_star as ida_star_module
from tilework.core.solver.optimal.engines import select_engine
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.target import Heuristic

LINES = Heuristic.LINEAR_CONFLICT
HARD_15 = load_instances("hardest_15puzzle.txt")[0].board


@pytest.mark.parametrize("goal", [Board([3, 1, 4, 8, 0, 2, 6, 5, 7]), blank_last(Size(2, 4))])
def test_small_boards_up_to_the_maximum_length(goal):
    lengths = naive.distances(tuple(goal.cells.tolist()), goal.width)
    sample = [*list(lengths.items())[::1511], *list(lengths.items())[-4:]]
    assert max(length for _, length in sample) == max(lengths.values())
    for tiles, length in sample:
        for heuristic in (Heuristic.AUTO, Heuristic.LINEAR_CONFLICT):
            result = ida_star(Board(tiles, *goal.size), goal, heuristic=heuristic)
            assert result.optimal
            assert len(result.moves) == result.lower_bound == length


def boards_at_distance(goal, width, depth):
    return next(itertools.islice(naive.levels(goal, width), depth, None))


@pytest.mark.parametrize(
    ("size", "depth"), [((5, 2), 18), ((4, 3), 12), ((5, 3), 11), ((4, 4), 11), ((6, 6), 9)]
)
def test_boards_at_a_known_distance(size, depth, pattern_databases):
    width, height = size
    for blank in (width * height - 1, width + 1):
        tiles = [*range(1, width * height)]
        tiles.insert(blank, 0)
        goal = Board(tiles, width, height)
        level = boards_at_distance(tuple(tiles), width, depth)
        for board in level[:: len(level) // 8]:
            result = ida_star(Board(board, width, height), goal, pdb_folder=pattern_databases)
            assert len(result.moves) == depth


DIAGONAL, LEFT_RIGHT = (0, 3, 6, 1, 4, 7, 2, 5, 8), (2, 1, 0, 5, 4, 3, 8, 7, 6)


@pytest.mark.parametrize(
    ("goal", "mirror"),
    [
        (blank_last(Size(3, 3)), DIAGONAL),
        (Board([1, 0, 2, 3, 4, 5, 6, 7, 8]), LEFT_RIGHT),
    ],
)
def test_boards_that_are_their_own_mirror_image(goal, mirror, monkeypatch):
    goal_tiles = goal.cells.tolist()
    images = {tile: goal_tiles[mirror[cell]] for cell, tile in enumerate(goal_tiles)}
    lengths = naive.distances(tuple(goal_tiles), goal.width)
    symmetric = [
        (Board(tiles, 3, 3), length)
        for tiles, length in lengths.items()
        if all(tiles[mirror[cell]] == images[tile] for cell, tile in enumerate(tiles))
    ]
    assert len(symmetric) > 100
    assert all(first_moves(board, goal) != 0b1111 for board, _ in symmetric)
    nodes = []
    for tries_all in (False, True):
        if tries_all:
            monkeypatch.setattr(ida_star_module, "first_moves", lambda *_: 0b1111)
        total = 0
        for board, length in symmetric[::2]:
            result = ida_star(board, goal, heuristic=LINES)
            assert len(result.moves) == length
            total += result.statistics.generated
        nodes.append(total)
    assert nodes[0] < 0.8 * nodes[1]


def test_limits_stop_with_the_proven_bound(pattern_databases):
    def search(limits):
        return ida_star(HARD_15, blank_last(Size(4, 4)), limits, pdb_folder=pattern_databases)

    result = search(Limits(nodes=100_000))
    assert (result.stopped_by, result.moves) == (StopReason.NODES, None)
    assert result.statistics.generated == 100_000
    assert 0 < result.statistics.expanded < 100_000
    assert 58 < result.lower_bound < 80
    assert search(Limits(seconds=0.0)).stopped_by is StopReason.TIME
    answers = itertools.chain([False] * 12, itertools.repeat(True))
    result = search(Limits(cancelled=lambda: next(answers)))
    assert (result.stopped_by, result.moves) == (StopReason.CANCELLED, None)
    assert 58 <= result.lower_bound < 80


def test_search_ends_once_the_known_solution_is_proven_optimal():
    goal = blank_last(Size(3, 3))
    board = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    for heuristic in (Heuristic.AUTO, Heuristic.LINEAR_CONFLICT):
        complete = ida_star(board, goal, heuristic=heuristic)
        assert len(complete.moves) == 31
        proof = ida_star(board, goal, heuristic=heuristic, upper_bound=31)
        assert (proof.moves, proof.lower_bound, proof.stopped_by) == (None, 31, None)
        assert proof.statistics.generated < complete.statistics.generated
        assert len(ida_star(board, goal, heuristic=heuristic, upper_bound=33).moves) == 31
    exhausted = ida_star(board, goal, known_bound=31, upper_bound=31)
    assert (exhausted.moves, exhausted.lower_bound) == (None, 31)
    assert exhausted.statistics.generated == 0
    with pytest.raises(UnsolvableError, match="cannot be reached"):
        ida_star(Board([2, 1, 3, 0], 4, 1), Board([1, 2, 3, 0], 4, 1))


def test_databases_built_during_a_search_are_used(pattern_databases, monkeypatch):
    size = Size(6, 3)
    goal = blank_last(size)
    # A request for pattern databases builds the quick ones.
    patterns = select_engine(goal, pattern_databases, Heuristic.PATTERN_DATABASE)
    assert patterns.name == "6x3 6-6-5 r14"
    monkeypatch.setattr(ida_star_module, "select_engine", lambda *_: lines)
    lines = select_engine(goal, heuristic=Heuristic.LINEAR_CONFLICT)
    monkeypatch.setattr(lines, "chunk", 100)
    nodes_by_lines = nodes = 0
    for seed in range(1):
        board = scramble(size, goal, seed=seed, moves=60)
        by_lines, *results = (
            ida_star(
                board, goal, pdb_folder=pattern_databases, heuristic=heuristic, threads=threads
            )
            for heuristic, threads in ((LINES, 1), (Heuristic.AUTO, 1), (Heuristic.AUTO, 2))
        )
        for result in results:
            assert result.engine == patterns.name != by_lines.engine
            assert len(by_lines.moves) == len(result.moves) == result.lower_bound
            nodes_by_lines += by_lines.statistics.generated
            nodes += result.statistics.generated
    assert nodes < nodes_by_lines
