"""Ranked databases estimate and search just as those of digits do."""

from __future__ import annotations

import numpy as np
import pytest

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.heuristics.ranked_patterns import RankedPatterns
from tilework.core.solver.kernels.constants import EXHAUSTED
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import PatternEngine
from tilework.core.solver.optimal.move_pruning import pruning_rules
from tilework.core.solver.optimal.ranked_engine import RankedEngine
from tilework.core.solver.optimal.subtrees import Subtrees
from tilework.core.solver.optimal.walk import Walk
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition

PARTITIONS = {
    "3×3": (Size(3, 3), ((1, 2, 3, 5, 6), (4, 7, 8))),
    "4×3": (Size(4, 3), ((1, 2, 5, 6, 9), (3, 4, 7, 8), (10, 11))),
    "4×4": (Size(4, 4), ((1, 2, 5, 6), (3, 4, 7, 8), (9, 10, 13, 14), (11, 12, 15))),
}


@pytest.mark.parametrize("name", PARTITIONS)
@pytest.mark.parametrize("goal_of", [blank_last, blank_first])
def test_ranks_and_digits_say_and_search_the_same(name, goal_of):
    size, patterns = PARTITIONS[name]
    goal: Board = goal_of(size)
    digits = Partition("digits", size, patterns)
    ranks = Partition("ranks", size, patterns, ranked=True)
    rules = pruning_rules(size, 6)
    one = PatternEngine("digits", goal, AdditivePatterns(digits, build(digits), goal), rules)
    other = RankedEngine("ranks", goal, RankedPatterns(ranks, build(ranks), goal), rules)
    for seed in range(20):
        board = scramble(size, goal, seed)
        starts = one.start(board), other.start(board)
        assert starts[0].estimate == starts[1].estimate
        threshold = starts[0].estimate + 4
        walks = [
            Walk(engine, start, threshold, Cursor.root())
            for engine, start in zip((one, other), starts, strict=True)
        ]
        for budget in (50, 1000, 3000):
            ends = [walk.search(budget) for walk in walks]
            assert ends[0] == ends[1]
            assert np.array_equal(walks[0].report, walks[1].report)
            assert walks[0].cursor() == walks[1].cursor()


def test_both_search_subtrees_in_the_same_order():
    size, patterns = PARTITIONS["4×3"]
    goal = blank_last(size)
    digits = Partition("digits", size, patterns)
    ranks = Partition("ranks", size, patterns, ranked=True)
    rules = pruning_rules(size, 6)
    one = PatternEngine("digits", goal, AdditivePatterns(digits, build(digits), goal), rules)
    other = RankedEngine("ranks", goal, RankedPatterns(ranks, build(ranks), goal), rules)
    board = scramble(size, goal, 3)
    found: list[list[object]] = []
    for engine in (one, other):
        start, subtrees = engine.start(board), Subtrees()
        found.append([])
        for threshold in range(start.estimate, start.estimate + 14, 2):
            walk = subtrees.begin(engine, start, threshold)
            assert walk is not None
            status = walk.search(40_000)
            path = [] if walk.path is None else walk.path.tolist()
            found[-1] += [status, walk.report.tolist(), path]
    assert found[0] == found[1]
    assert sum(status == EXHAUSTED for status in found[0][::3]) > 3
