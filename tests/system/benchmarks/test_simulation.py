from __future__ import annotations

import random

import pytest

from benchmarks.farm_simulation import drawn
from benchmarks.simulation.farm import SimulatedFarm
from benchmarks.simulation.tree import DrawnTree
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.solver.piece import Piece, SliceOutcome

GOAL = blank_first(Size(5, 5))
ALL = 10**9


def searched(tree: DrawnTree, threshold: int, piece: Piece, nodes: int) -> SliceOutcome:
    return tree.search(GOAL, GOAL, threshold, piece.cursor, nodes=nodes, cancelled=lambda: False)


@pytest.mark.parametrize("seed", range(5))
def test_a_drawn_tree_has_as_many_nodes_however_it_is_stopped_and_split(seed):
    tree = DrawnTree(20_000, 8, seed)
    whole = searched(tree, 8, tree.root(), ALL)
    chance = random.Random(seed)
    nodes, pieces = 0, [tree.root()]
    while pieces:
        piece = pieces.pop(chance.randrange(len(pieces)))
        halves = tree.split(GOAL, piece.cursor)
        if halves and chance.random() < 0.5:
            assert sum(half.share for half in halves) == pytest.approx(piece.share)
            pieces += halves
        else:
            budget = chance.randrange(1, 50)
            outcome = searched(tree, 8, piece, budget)
            assert outcome.nodes <= budget
            nodes += outcome.nodes
            pieces += outcome.remaining
    assert not whole.remaining
    assert nodes == whole.nodes


def test_a_drawn_tree_grows_with_each_threshold_up_to_the_solution():
    tree = DrawnTree(20_000, 8, 1)
    found = []
    threshold = tree.first_threshold(GOAL, GOAL)
    while (outcome := searched(tree, threshold, tree.root(), ALL)).moves is None:
        found.append(outcome.nodes)
        assert outcome.next_threshold is not None
        threshold = outcome.next_threshold
    assert sum(found) == pytest.approx(20_000, rel=0.01)
    assert found[-1] / found[-2] == pytest.approx(8, rel=0.01)


def test_simulated_workers_search_all_of_a_tree_once():
    plan = drawn(4, 0.2)
    report = SimulatedFarm(plan).run()
    assert report.nodes == pytest.approx(4 * 12 * plan.nodes_per_s, rel=0.01)
    assert 0.5 < report.efficiency(4) < 1.0
    assert report.makespan > 12
