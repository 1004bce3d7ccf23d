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
from tilework.core.solver.kernels.depth_first.subtrees import KNOWN
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine, LineEngine, PatternEngine
from tilework.core.solver.optimal.move_pruning import pruning_rules
from tilework.core.solver.optimal.subtrees import ENOUGH_NODES, Subtrees
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
            threshold = start.estimate + 2
            walk = Walk.of(Cursor.root(), board, threshold, rules)
            for _ in range(6):
                status = engine.search(start, threshold, 17, walk)
                found.append(
                    [threshold, status, walk.report.tolist(), walk.cursor().to_bytes().hex()]
                )
            found += in_order(engine, board, threshold)
    return found


def in_order(engine: Engine, board: Board, threshold: int) -> list[list[object]]:
    """Two thresholds, subtree by subtree and a few nodes at a time."""
    start, subtrees = engine.start(board), Subtrees()
    subtrees.begin(engine.name, threshold - 2)
    subtrees.count(ENOUGH_NODES)
    found: list[list[object]] = []
    for bound in (threshold, threshold + 2):
        subtrees.begin(engine.name, bound)
        walk = Walk.of(Cursor.root(), board, bound, engine.rules)
        status = OUT_OF_BUDGET
        while status == OUT_OF_BUDGET:
            status = engine.search_in_order(start, bound, 17, walk, subtrees)
            known = subtrees.place[KNOWN]
            found.append(
                [
                    bound,
                    status,
                    walk.report.tolist(),
                    walk.cursor().to_bytes().hex(),
                    subtrees.place.tolist(),
                    zlib.crc32(subtrees.table[:known].tobytes()),
                ]
            )
    return found


if __name__ == "__main__":
    print(json.dumps(summary()))
