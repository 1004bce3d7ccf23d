"""Korf's 100 boards of the 15-puzzle, one after the other on one core.

Usage: python -m benchmarks.korf100

Seconds are of search alone, from a board to its replayed solution: databases are mapped and
kernels compiled before. Wall time is what the bar is about; on a machine with other work to do,
time of the processor says more, so both are given, each the median of the runs.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from benchmarks.report import Figure, record
from core.optimal.ida_star import ida_star
from core.puzzle.board import Board, Size
from core.puzzle.goals import blank_first
from core.puzzle.scramble import scramble
from core.search.result import SearchResult

INSTANCES = Path(__file__).parent.parent / "tests" / "data" / "korf100_15puzzle.txt"
GOAL = blank_first(Size(4, 4))
RUNS = 5
RANDOM_BOARDS = 100


def korfs_boards() -> list[tuple[Board, int]]:
    """The boards, each with its known optimal length."""
    boards = []
    for line in INSTANCES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            numbers, length, _ = line.split("|")
            tiles = [int(number) for number in numbers.split()[3:]]
            boards.append((Board(tiles, 4, 4), int(length)))
    return boards


def solved(boards: list[Board]) -> tuple[list[SearchResult], float, float]:
    """Results, and the seconds of wall and processor that all of them took."""
    wall, processor = time.perf_counter(), time.process_time()
    results = [ida_star(board, GOAL) for board in boards]
    return results, time.perf_counter() - wall, time.process_time() - processor


def main() -> None:
    boards, lengths = zip(*korfs_boards(), strict=True)
    ida_star(boards[0], GOAL)
    runs = [solved(list(boards)) for _ in range(RUNS)]
    results = runs[0][0]
    nodes = sum(result.statistics.generated for result in results)
    wrong = sum(
        not result.optimal or result.upper_bound != length
        for result, length in zip(results, lengths, strict=True)
    )
    wall = statistics.median(seconds for _, seconds, _ in runs)
    processor = statistics.median(seconds for _, _, seconds in runs)

    random_boards = [scramble(GOAL.size, GOAL, seed) for seed in range(RANDOM_BOARDS)]
    random_ms = [result.statistics.seconds * 1000 for result in solved(random_boards)[0]]
    record(
        "korf100",
        [
            Figure("lengths that are not the optimum", wrong, "boards", 0),
            Figure("search of all 100 boards", wall, "s", 2),
            Figure("the same in processor time", processor, "s", 2),
            Figure("nodes generated", nodes, "nodes"),
            Figure("nodes a second of processor", nodes / processor / 1e6, "M/s", 45, False),
            Figure("slowest board", max(r.statistics.seconds for r in results), "s"),
            Figure("100 random boards, median", statistics.median(random_ms), "ms"),
            Figure("100 random boards, slowest", max(random_ms), "ms"),
        ],
        notes="Additive 6-6-3 databases with mirrored look-up; one core.",
    )


if __name__ == "__main__":
    main()
