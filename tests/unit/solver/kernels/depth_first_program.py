"""Build a small database and search with every depth-first kernel; print all that came of it.

Run with and without the compiler, it must print the same.
"""

from __future__ import annotations

import json
import zlib

import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.kernels.constants import OUT_OF_BUDGET
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine, LineEngine, PatternEngine
from tilework.core.solver.optimal.move_pruning import pruning_rules
from tilework.core.solver.optimal.subtrees import Subtrees, top_of
from tilework.core.solver.optimal.walk import Walk
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition


def summary() -> list[list[object]]:
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


if __name__ == "__main__":
    print(json.dumps(summary()))
