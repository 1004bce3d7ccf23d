import pytest

from tests.unit.solver.pdb.naive_patterns import pattern_distances
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.slow_search import SlowSearch


@pytest.mark.parametrize(
    ("goal", "blank", "size"),
    [
        ((0, 1), 8, Size(3, 3)),
        ((5, 7), 8, Size(3, 3)),
        ((5, 7), 0, Size(3, 3)),
        ((0, 4, 3), 7, Size(4, 2)),
    ],
)
def test_exactly_the_least_moves_suffice(goal, blank, size):
    distances = pattern_distances(goal, blank, *size)
    for estimate in (distances.__getitem__, lambda _: 0):
        search = SlowSearch(goal, blank, size, estimate)
        for cells, moves in list(distances.items())[::7]:
            assert search.reaches_goal(cells, moves)
            assert search.reaches_goal(cells, moves + 2)
            assert not search.reaches_goal(cells, moves - 1)
