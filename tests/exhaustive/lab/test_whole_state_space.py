"""The lab on whole state spaces, many random boards, and the hardest boards."""

from operator import le, lt

import pytest

from tests.support import naive
from tests.support.instances import load_instances
from tests.unit.lab.heuristics.test_heuristics import check_guarantees
from tests.unit.lab.runs import HARDEST, check_length, optimal_length, random_boards, walked_boards
from tilework.core.lab.methods import ALGORITHMS, HEURISTICS, LabAlgorithm, LabHeuristic, Method
from tilework.core.lab.problem import Problem
from tilework.core.lab.run import make_heuristic
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last

# Without a table of visited boards these follow every path: too many with a weak heuristic.
WITHOUT_TABLE = (LabAlgorithm.A_STAR_PARENT, LabAlgorithm.IDA_STAR)
STRONG = ("manhattan", "maximum", "linear-conflict", "walking-distance", "pattern-database")


@pytest.mark.parametrize("goal", [blank_last(Size(3, 3)), Board([3, 1, 4, 8, 0, 2, 6, 5, 7])])
def test_guarantees_on_all_3x3_boards(goal):
    check_guarantees(goal)


@pytest.mark.parametrize("goal", [blank_last(Size(3, 3)), blank_first(Size(3, 3))])
def test_faulty_heuristic_is_zero_on_twelve_boards(goal):
    faulty = make_heuristic(LabHeuristic.FAULTY, Problem(goal, goal))
    boards = naive.distances(tuple(goal.cells.tolist()), 3)
    assert sum(not faulty(tiles) for tiles in boards) == 12


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_every_method_on_random_boards(name):
    for heuristic in HEURISTICS if ALGORITHMS[name].informed else [None]:
        method = Method.of(name, heuristic)
        if name in WITHOUT_TABLE and heuristic not in STRONG:
            boards = walked_boards(60)
        else:
            boards = random_boards(6 if heuristic else 1)
        for tiles in boards:
            check_length(tiles, method, optimal_length(tiles))


@pytest.mark.parametrize("name", [name for name, facts in ALGORITHMS.items() if facts.complete])
def test_every_complete_algorithm_solves_the_hardest_boards(name):
    for tiles in HARDEST:
        check_length(tiles, Method.of(name), 31)


def test_a_star_with_admissible_heuristics_solves_the_hardest_boards_optimally():
    for heuristic, facts in HEURISTICS.items():
        if facts.admissible:
            for tiles in HARDEST:
                check_length(tiles, Method.of(LabAlgorithm.A_STAR, heuristic), 31)


@pytest.mark.parametrize(
    ("file_name", "heuristics"),
    [
        ("korf100_15puzzle.txt", ("pattern-database", "walking-distance")),
        ("korf50_24puzzle.txt", ("pattern-database",)),
    ],
)
def test_heuristics_are_between_manhattan_and_published_lengths(file_name, heuristics):
    instances = load_instances(file_name)
    goal = blank_first(instances[0].board.size)
    for name in heuristics:
        estimate = make_heuristic(LabHeuristic(name), Problem(goal, goal))
        values = [estimate(instance.tiles) for instance in instances]
        distances = [instance.board.manhattan(goal) for instance in instances]
        lengths = [instance.length for instance in instances]
        assert all(map(le, distances, values))
        assert all(map(le, values, lengths))
        assert sum(map(lt, distances, values)) > 20
