import itertools

import numpy as np
import pytest

from tests.support import naive
from tests.support.instances import instances, level_counts
from tilework.core.errors import UnsolvableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.names import Heuristic
from tilework.core.solver.optimal import ida_star as searching
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.ida_star import ida_star

KORF = {instance.name: instance for instance in instances("korf100_15puzzle.txt")}
HARDEST = instances("hardest_15puzzle.txt")
HARD_15 = Board(HARDEST[0].tiles, 4, 4)


@pytest.mark.parametrize("heuristic", [Heuristic.AUTO, Heuristic.LINEAR_CONFLICT])
@pytest.mark.parametrize("goal", [blank_last(Size(3, 3)), Board([3, 1, 4, 8, 0, 2, 6, 5, 7])])
def test_3x3_boards_of_every_depth(goal, heuristic):
    lengths = naive.distances(tuple(goal.cells.tolist()), 3)
    some = list(lengths.items())[::211] + list(lengths.items())[-4:]
    assert max(length for _, length in some) == max(lengths.values())
    for tiles, length in some:
        result = ida_star(Board(tiles), goal, heuristic=heuristic)
        assert result.optimal
        assert len(result.moves) == result.lower_bound == length


@pytest.mark.slow
@pytest.mark.parametrize("heuristic", [Heuristic.AUTO, Heuristic.LINEAR_CONFLICT])
def test_every_3x3_board(heuristic):
    goal = blank_last(Size(3, 3))
    counts = [0] * 32
    for tiles, length in naive.distances(tuple(goal.cells.tolist()), 3).items():
        found = len(ida_star(Board(tiles), goal, heuristic=heuristic).moves)
        assert found == length
        counts[found] += 1
    assert counts == level_counts(3, 3)


@pytest.mark.parametrize("size", [(2, 3), (4, 2), (2, 4)])
def test_every_small_rectangle(size):
    goal = blank_last(Size(*size))
    for tiles, length in itertools.islice(
        naive.distances(tuple(goal.cells.tolist()), size[0]).items(), 0, None, 7
    ):
        assert len(ida_star(Board(tiles, *size), goal).moves) == length


def sweep(goal, width, depth):
    """All boards at exactly a distance from the goal, by breadth-first search of tuples."""
    level, before = {goal}, set()
    for _ in range(depth):
        after = {
            moved
            for tiles in level
            for letter in "UDLR"
            if (moved := naive.moved(tiles, width, letter)) is not None
        }
        level, before = after - before, level
    return sorted(level)


@pytest.mark.parametrize(
    ("size", "depth"), [((5, 2), 22), ((4, 3), 16), ((5, 3), 15), ((5, 5), 12), ((6, 6), 11)]
)
@pytest.mark.parametrize("blank_in_corner", [True, False])
def test_boards_at_a_known_distance(size, depth, blank_in_corner, pattern_databases):
    width, height = size
    tiles = [*range(1, width * height)]
    tiles.insert(len(tiles) if blank_in_corner else width + 1, 0)
    goal = Board(tiles, width, height)
    level = sweep(tuple(tiles), width, depth)
    for board in level[:: len(level) // 20]:
        result = ida_star(Board(board, width, height), goal, pdb_folder=pattern_databases)
        assert len(result.moves) == depth


def test_korfs_hundred(pattern_databases):
    goal = blank_first(Size(4, 4))
    wrong = []
    for instance in KORF.values():
        board = Board(instance.tiles, 4, 4)
        result = ida_star(board, goal, pdb_folder=pattern_databases)
        replay(board, result.moves, goal)
        if not (result.optimal and len(result.moves) == instance.length):
            wrong.append((instance.name, result))
    assert wrong == []


@pytest.mark.parametrize("name", ["korf15-012", "korf15-055", "korf15-079"])
def test_a_corner_is_as_good_as_another(name, pattern_databases):
    """Mirrored boards have mirrored solutions, found with the same databases."""
    instance = KORF[name]
    board = np.array(instance.tiles).reshape(4, 4)
    goal = np.arange(16).reshape(4, 4)
    turned = [(board, goal), (board[::-1], goal[::-1]), (board[:, ::-1], goal[:, ::-1])]
    turned += [(board.T, goal.T), (board[::-1, ::-1], goal[::-1, ::-1])]
    relabelled = np.array([0, *np.random.default_rng(1).permutation(15) + 1])
    turned += [(relabelled[board], relabelled[goal])]
    for cells, wanted in turned:
        result = ida_star(
            Board(cells.reshape(-1)), Board(wanted.reshape(-1)), pdb_folder=pattern_databases
        )
        assert len(result.moves) == instance.length


@pytest.mark.parametrize("heuristic", [Heuristic.AUTO, Heuristic.LINEAR_CONFLICT])
def test_a_goal_with_the_blank_inside_a_4x4(heuristic, pattern_databases):
    goal = Board([5, 1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    level = sweep(tuple(goal.cells.tolist()), 4, 14)
    for tiles in level[:: len(level) // 10]:
        result = ida_star(Board(tiles), goal, pdb_folder=pattern_databases, heuristic=heuristic)
        assert len(result.moves) == 14


@pytest.mark.slow
@pytest.mark.parametrize(
    "instance",
    [instance for instance in HARDEST if instance.length == 80],
    ids=lambda instance: instance.name,
)
def test_the_hardest_15_puzzles(instance, pattern_databases):
    result = ida_star(
        Board(instance.tiles, 4, 4), blank_last(Size(4, 4)), pdb_folder=pattern_databases
    )
    assert len(result.moves) == 80
    assert result.optimal


def test_no_moves_from_the_goal():
    goal = blank_last(Size(5, 4))
    result = ida_star(goal, goal)
    assert result.optimal
    assert result.lower_bound == result.upper_bound == 0


def test_a_node_limit_stops_with_what_is_proved(pattern_databases):
    result = ida_star(
        HARD_15, blank_last(Size(4, 4)), Limits(nodes=100_000), pdb_folder=pattern_databases
    )
    assert result.stopped_by is StopReason.NODES
    assert result.moves is None
    assert result.statistics.generated == 100_000
    assert 0 < result.statistics.expanded < 100_000
    assert 58 < result.lower_bound < 80


def test_a_time_limit_stops_with_what_is_proved(pattern_databases):
    result = ida_star(
        HARD_15, blank_last(Size(4, 4)), Limits(seconds=0.0), pdb_folder=pattern_databases
    )
    assert result.stopped_by is StopReason.TIME
    assert result.lower_bound >= 58


def test_cancelling_stops_with_what_is_proved(pattern_databases):
    goal = blank_last(Size(4, 4))
    answers = itertools.chain([False] * 12, itertools.repeat(True))
    result = ida_star(
        HARD_15, goal, Limits(cancelled=lambda: next(answers)), pdb_folder=pattern_databases
    )
    assert result.stopped_by is StopReason.CANCELLED
    assert result.moves is None


def test_a_known_bound_spares_the_lower_thresholds(pattern_databases):
    instance = KORF["korf15-001"]
    board, goal = Board(instance.tiles), blank_first(Size(4, 4))
    # A proof alone: how soon a solution is met depends on what the lower thresholds have counted.
    bounds = {"upper_bound": instance.length, "pdb_folder": pattern_databases}
    cold = ida_star(board, goal, **bounds)
    told = ida_star(board, goal, known_bound=instance.length - 2, **bounds)
    assert told.lower_bound == cold.lower_bound == instance.length
    assert told.statistics.generated < cold.statistics.generated
    told = ida_star(board, goal, pdb_folder=pattern_databases, known_bound=instance.length)
    assert told.optimal


def test_progress_is_told_while_it_lasts(pattern_databases, monkeypatch):
    monkeypatch.setattr("tilework.core.solver.optimal.ida_star._PROGRESS_EVERY_S", 0.0)
    told = []
    ida_star(
        HARD_15,
        blank_last(Size(4, 4)),
        Limits(nodes=12_000_000),
        pdb_folder=pattern_databases,
        progress=told.append,
    )
    assert len(told) > 2
    bounds = [progress.lower_bound for progress in told]
    assert bounds == sorted(bounds)
    assert [progress.nodes for progress in told] == sorted(progress.nodes for progress in told)
    assert all(progress.upper_bound is None for progress in told)


def test_an_end_in_vain_is_no_solution():
    with pytest.raises(UnsolvableError, match="cannot be reached"):
        ida_star(Board([2, 1, 3, 0], 4, 1), Board([1, 2, 3, 0], 4, 1))


@pytest.mark.parametrize("heuristic", [Heuristic.AUTO, Heuristic.LINEAR_CONFLICT])
def test_a_known_solution_ends_the_search_where_it_is_proved_optimal(heuristic):
    goal = blank_last(Size(3, 3))
    board = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    whole = ida_star(board, goal, heuristic=heuristic)
    assert len(whole.moves) == 31
    proof = ida_star(board, goal, heuristic=heuristic, upper_bound=31)
    assert (proof.moves, proof.lower_bound, proof.stopped_by) == (None, 31, None)
    assert proof.statistics.generated < whole.statistics.generated
    shorter = ida_star(board, goal, heuristic=heuristic, upper_bound=33)
    assert len(shorter.moves) == 31


def test_a_bound_that_leaves_nothing_to_search():
    goal = blank_last(Size(3, 3))
    board = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    result = ida_star(board, goal, known_bound=31, upper_bound=31)
    assert (result.moves, result.lower_bound) == (None, 31)
    assert result.statistics.generated == 0


@pytest.mark.parametrize("chunk", [1, 7, 60])
def test_databases_that_come_in_the_middle_are_taken_up(chunk, pattern_databases, monkeypatch):
    size = Size(6, 3)
    goal = blank_last(size)
    engine_for(goal, pattern_databases, Heuristic.PATTERN_DATABASE)
    monkeypatch.setattr(searching, "engine_for", lambda *_: lines)
    lines = engine_for(goal, heuristic=Heuristic.LINEAR_CONFLICT)
    monkeypatch.setattr(lines, "chunk", chunk)
    level = sweep(tuple(goal.cells.tolist()), 6, 17)
    plain = searched = 0
    for tiles in level[:: len(level) // 20]:
        board = Board(tiles, 6, 3)
        # In one order: databases that may still come in keep either search from its own.
        alone, result = (
            ida_star(board, goal, pdb_folder=pattern_databases, heuristic=heuristic)
            for heuristic in (Heuristic.LINEAR_CONFLICT, Heuristic.AUTO)
        )
        assert len(alone.moves) == len(result.moves) == result.lower_bound == 17
        plain += alone.statistics.generated
        searched += result.statistics.generated
    assert searched < plain
