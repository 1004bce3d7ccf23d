"""Solution lengths against the distances of all boards: optimal if guaranteed, never too short."""

import pytest

from tests.support import naive
from tests.unit.lab.runs import check_length, optimal_length, random_boards, walked_boards
from tilework.core.lab.methods import ALGORITHMS, HEURISTICS, LabAlgorithm, Method

# Depth-first solutions of 3×3 boards have tens of thousands of moves.
DEPTH_FIRST = ("backtracking", "depth-first")
SMALL_GOALS = [
    ((1, 2, 3, 4, 5, 0), 3),
    ((1, 2, 3, 4, 5, 0), 2),
    ((5, 3, 1, 2, 0, 4), 3),
    ((1, 2, 3, 0), 2),
    ((1, 2, 3, 0, 4), 5),
    ((1, 2, 3, 0, 4), 1),
    ((0,), 1),
]


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_small_boards_with_several_goals_and_every_heuristic(name):
    for goal, width in SMALL_GOALS:
        lengths = naive.distances(goal, width)
        for tiles in [goal, *sorted(lengths)[:: max(1, len(lengths) // 9)]]:
            result = check_length(tiles, Method.of(name), lengths[tiles], goal=goal, width=width)
            assert (result.statistics.expanded == 0) is (tiles == goal)
    lengths = naive.distances(naive.solved_tiles(3, 2), 3)
    for heuristic in HEURISTICS if ALGORITHMS[name].informed else [None]:
        method = Method.of(name, heuristic, width=20 if name == "beam" else None)
        for tiles in sorted(lengths)[5::90]:
            check_length(tiles, method, lengths[tiles])
        if not name.startswith(DEPTH_FIRST):
            for tiles in walked_boards(16)[11:]:
                check_length(tiles, method, optimal_length(tiles))


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_random_boards_and_a_long_line(name):
    if not name.startswith(DEPTH_FIRST):
        is_quick = ALGORITHMS[name].informed or name is LabAlgorithm.BIDIRECTIONAL
        for tiles in random_boards(8) if is_quick else walked_boards(16):
            check_length(tiles, Method.of(name), optimal_length(tiles))
    if ALGORITHMS[name].complete and name is not LabAlgorithm.ITERATIVE_DEEPENING:
        # Deeper than the recursion limit.
        check_length((0, *range(1, 710)), Method.of(name), 709, width=710)
