"""The two boards that are farthest from the goal, 31 moves."""

from __future__ import annotations

import pytest

from tests.unit.lab.boards import HARDEST, depth_of
from tests.unit.lab.running import run_of
from tilework.core.lab.method import Method
from tilework.core.lab.names import ALGORITHMS, HEURISTICS, LabAlgorithm, LabHeuristic

COMPLETE = [name for name, facts in ALGORITHMS.items() if facts.complete]


def test_no_board_is_farther():
    assert [depth_of(tiles) for tiles in HARDEST] == [31, 31]


@pytest.mark.parametrize("tiles", HARDEST)
@pytest.mark.parametrize("name", COMPLETE)
def test_every_complete_algorithm_solves_the_hardest_boards(name, tiles):
    method = Method.of(name)
    result = run_of(tiles, method)
    assert len(result.moves) >= 31
    if method.promises_optimum:
        assert len(result.moves) == 31


@pytest.mark.parametrize("tiles", HARDEST)
@pytest.mark.parametrize(
    "heuristic", [name for name, facts in HEURISTICS.items() if facts.admissible]
)
def test_a_star_proves_them_with_every_admissible_estimate(heuristic, tiles):
    assert len(run_of(tiles, Method.of(LabAlgorithm.A_STAR, heuristic)).moves) == 31


def test_a_better_estimate_expands_fewer_nodes():
    better = (
        LabHeuristic.ZERO,
        LabHeuristic.HAMMING,
        LabHeuristic.MANHATTAN,
        LabHeuristic.LINEAR_CONFLICT,
    )
    expanded = [
        run_of(HARDEST[0], Method.of(LabAlgorithm.A_STAR, name)).statistics.expanded
        for name in better
    ]
    assert expanded == sorted(expanded, reverse=True)
