"""Search with every kernel there is for it; print all that came of it.

Run with and without the compiler, it must print the same.
"""

from __future__ import annotations

import json
import zlib

import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.heuristics.lower_bound import lower_bound
from tilework.core.solver.kernels.constants import OUT_OF_BUDGET
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.optimal.a_star import a_star
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine, LineEngine, PatternEngine
from tilework.core.solver.optimal.move_pruning import pruning_rules
from tilework.core.solver.optimal.nearby import nearby
from tilework.core.solver.optimal.subtrees import Subtrees, top_of
from tilework.core.solver.optimal.walk import Walk
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition


def summary() -> list[list[object]]:
    return [*depth_first(), *best_first(), *beams()]


def depth_first() -> list[list[object]]:
    """What a small database has, and walks with and without it, a few nodes at a time."""
    size = Size(3, 3)
    partition = Partition("2-3-3", size, ((1, 2), (3, 5, 6), (4, 7, 8)))
    entries = build(partition)
    rules = pruning_rules(size, 8)
    goals = [Board([1, 2, 3, 4, 5, 6, 7, 8, 0]), Board([0, 3, 1, 2, 4, 6, 5, 7, 8])]
    found: list[list[object]] = [[zlib.crc32(entries.data)]]
    for goal in goals:
        for engine in (
            PatternEngine("patterns", goal, AdditivePatterns(partition, entries, goal), rules),
            LineEngine("lines", goal, rules),
        ):
            board, before = goal, None
            random = np.random.default_rng(2)
            for _ in range(30):
                after = [other for other in board.neighbors() if other != before]
                board, before = after[random.integers(len(after))], board
            start = engine.start(board)
            walk = Walk(engine, start, start.estimate + 2, Cursor.root())
            for _ in range(6):
                status = walk.search(17)
                found.append([status, walk.report.tolist(), walk.cursor().to_bytes().hex()])
            found += in_order(engine, board)
    return found


def in_order(engine: Engine, board: Board) -> list[list[object]]:
    """Two thresholds, subtree by subtree and a few nodes at a time."""
    start, subtrees = engine.start(board), Subtrees()
    first = max(start.estimate, top_of(board.size.cells) + 2 - start.estimate % 2)
    found: list[list[object]] = []
    for threshold in (first, first + 2):
        walk = subtrees.begin(engine, start, threshold)
        assert walk is not None
        status = OUT_OF_BUDGET
        while status == OUT_OF_BUDGET:
            status = walk.search(170)
            found.append([threshold, status, walk.report.tolist()])
    return found


def best_first() -> list[list[object]]:
    """A*, the constructive solver, and the search of boards near their goal."""
    found: list[list[object]] = []
    for goal in (blank_last(Size(3, 3)), spiral(Size(4, 2)), blank_first(Size(4, 4))):
        board = scramble(goal.size, goal, seed=1, moves=30)
        result = a_star(board, goal)
        nodes = result.statistics.generated
        found.append([to_letters(result.moves), nodes, lower_bound(board, goal)])
    for goal in (blank_first(Size(6, 5)), spiral(Size(2, 7))):
        board = scramble(goal.size, goal, seed=1)
        moves = construct(board, goal, lambda rest, its_goal: a_star(rest, its_goal).moves)
        found.append([to_letters(moves), lower_bound(board, goal)])
    for goal in (blank_last(Size(9, 7)), spiral(Size(3, 3))):
        result = nearby(scramble(goal.size, goal, seed=4, moves=20), goal, 40)
        found.append([to_letters(result.moves), result.statistics.generated])
    return found


def beams() -> list[list[object]]:
    """Small beams, with pattern databases up to 3×3, and lines beyond."""
    found: list[list[object]] = []
    for goal, width in ((blank_last(Size(3, 3)), 9), (spiral(Size(5, 4)), 4)):
        board = scramble(goal.size, goal, seed=width, moves=8)
        outcome = beam_search(board, goal, width, upper_bound=60)
        moves = None if outcome.moves is None else to_letters(outcome.moves)
        found.append([moves, outcome.nodes])
    return found


if __name__ == "__main__":
    print(json.dumps(summary()))
