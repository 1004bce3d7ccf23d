"""What each technique of the optimal search saves: nodes and seconds on the same boards.

Usage: python -m benchmarks.techniques

Korf's 100 boards of the 15-puzzle with each database and with rules of growing length, and three
of the 24-puzzle. Rules of two moves only forbid undoing the last one. The seconds of a row are the
least of the runs, which take turns, so that a slow spell of the machine meets all rows alike.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.instances import Instance, korf50, korf100
from benchmarks.ready_pdb import ready_pdb_folder
from benchmarks.report import Figure, record
from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.kernels.constants import EXHAUSTED, FOUND, GENERATED, NEXT_THRESHOLD
from tilework.core.solver.optimal.choice import engine_named
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.slice import Walk

RUNS = 3
FIFTEEN = [f"4x4 {tables} r{rules}" for tables in ("6-6-3", "7-8") for rules in (2, 8, 10, 12)]
TWENTY_FOUR = [
    f"5x5 {tables} r{rules}"
    for tables, rules in (("6-6-6-6", 2), ("6-6-6-6", 8), ("6-6-6-6", 10), ("5-5-5-5-4", 10))
]
EASY_24 = ("korf24-25", "korf24-38", "korf24-40")


def main() -> None:
    fifteen, easy = korf100(), [one for one in korf50() if one.name in EASY_24]
    figures = [
        *_compared("Korf's 100", fifteen, FIFTEEN, ready_pdb_folder(Size(4, 4))),
        *_compared("Korf24 #25, #38 and #40", easy, TWENTY_FOUR, ready_pdb_folder(Size(5, 5))),
    ]
    record("techniques", figures, notes="One core; nodes are exact, seconds the least of the runs.")


def _compared(
    what: str, boards: Sequence[Instance], names: Sequence[str], folder: Path
) -> list[Figure]:
    nodes = dict.fromkeys(names, 0)
    seconds = dict.fromkeys(names, float("inf"))
    for _ in range(RUNS):
        for name in names:
            began = time.perf_counter()
            nodes[name] = sum(_nodes(one.board, one.goal, name, folder) for one in boards)
            seconds[name] = min(seconds[name], time.perf_counter() - began)
    return [
        figure
        for name in names
        for figure in (
            Figure(f"{what}, {name}: nodes", nodes[name] / 1e6, "M"),
            Figure(f"{what}, {name}: time", seconds[name], "s"),
        )
    ]


def _nodes(board: Board, goal: Board, name: str, folder: Path) -> int:
    """Deepen until a solution is found, without a bound from anywhere else."""
    engine = engine_named(goal, name, folder)
    start = engine.start(board)
    threshold, nodes = start.estimate, 0
    while True:
        walk = Walk(engine, start, threshold, Cursor.root())
        status = walk.search(1 << 60)
        nodes += int(walk.report[GENERATED])
        if status == FOUND:
            return nodes
        assert status == EXHAUSTED
        threshold = int(walk.report[NEXT_THRESHOLD])


if __name__ == "__main__":
    main()
