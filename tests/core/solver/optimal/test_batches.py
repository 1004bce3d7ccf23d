"""Many nodes at a time are the nodes that are searched one by one."""

from __future__ import annotations

import pytest

from tests.core.solver.heuristics.test_ranked_patterns import PARTITIONS
from tests.core.solver.optimal.walks import walked
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.heuristics.ranked_patterns import RankedPatterns
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    OUT_OF_BUDGET,
)
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import LineEngine
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.move_pruning import pruning_rules
from tilework.core.solver.optimal.ranked_engine import RankedEngine
from tilework.core.solver.optimal.subtrees import TOP, Subtrees
from tilework.core.solver.optimal.walk import Walk
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition

PLENTY = 1 << 40
TOP_NODES = 1000
MOST_NODES = 300_000


def engine_of(name: str, goal: Board) -> RankedEngine:
    size, patterns = PARTITIONS[name]
    partition = Partition("ranks", size, patterns, ranked=True)
    tables = RankedPatterns(partition, build(partition), goal)
    return RankedEngine("ranks", goal, tables, pruning_rules(size, 6))


def one_by_one(engine: RankedEngine, board: Board, threshold: int) -> Walk:
    walk = Walk.of(Cursor.root(), board, threshold, engine.rules)
    assert engine.search(engine.start(board), threshold, PLENTY, walk) == EXHAUSTED
    return walk


@pytest.mark.parametrize("name", PARTITIONS)
@pytest.mark.parametrize("goal_of", [blank_last, blank_first])
@pytest.mark.parametrize("budget", [PLENTY, 1000, 1])
def test_each_threshold_has_those_nodes(name, goal_of, budget):
    goal = goal_of(PARTITIONS[name][0])
    engine = engine_of(name, goal)
    searched = 0
    for seed in range(4 if budget > 1 else 1):
        board = scramble(goal.size, goal, seed)
        start, subtrees = engine.start(board), Subtrees()
        shortest = len(ida_star(board, goal).moves) if goal.size.cells < 16 else None
        threshold = start.estimate
        while threshold <= TOP:
            threshold = int(one_by_one(engine, board, threshold).report[NEXT_THRESHOLD])
        while True:
            batches = subtrees.batches(engine, start, threshold)
            assert batches is not None
            nodes, status = 0, OUT_OF_BUDGET
            while status == OUT_OF_BUDGET:
                status = batches.search(budget)
                generated = int(batches.report[GENERATED])
                assert generated <= budget + 2
                nodes += generated
            if status == FOUND:
                assert len(batches.path) == threshold == (shortest or threshold)
                replay(board, batches.path, goal)
                break
            assert status == EXHAUSTED
            walk = one_by_one(engine, board, threshold)
            # The top of the tree is searched once, whatever the estimates are there.
            assert batches.report[NEXT_THRESHOLD] >= walk.report[NEXT_THRESHOLD]
            assert abs(nodes - walk.report[GENERATED]) <= TOP_NODES
            searched += nodes
            if searched > MOST_NODES:
                return
            threshold = int(batches.report[NEXT_THRESHOLD])
    assert searched > 0


@pytest.mark.parametrize("name", PARTITIONS)
def test_estimates_along_a_path_are_those_of_its_boards(name):
    goal = blank_last(PARTITIONS[name][0])
    path = ida_star(walked(goal, 40, seed=5), goal).moves
    board = walked(goal, 40, seed=5)
    assert path.size > 5
    for engine in (engine_of(name, goal), LineEngine("lines", goal, pruning_rules(goal.size, 6))):
        along = engine.estimates_along(engine.start(board), path)
        boards = [apply(board, path[:made]) for made in range(path.size + 1)]
        assert along.tolist() == [engine.start(here).estimate for here in boards]
