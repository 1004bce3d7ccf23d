"""The lab's searches in one process: how fast A* expands, and the hardest boards of 3×3.

Usage: python -m tools.benchmarks.lab

Seconds are of the search alone, as a run's statistics tell them: the tables of a heuristic are made
before. Each figure is the median of the runs; of several boards, the slowest.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

from tilework.core.lab.method import Method
from tilework.core.lab.names import ALGORITHMS
from tilework.core.lab.result import RunResult
from tilework.core.lab.run import run
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tools.benchmarks.report import Figure, record

RUNS = 5
RANDOM_BOARDS = 200

SIZE = Size(3, 3)
GOAL = blank_last(SIZE)
PUBLISHED = Board([7, 5, 8, 2, 3, 4, 1, 0, 6])
HARDEST = (Board([8, 6, 7, 2, 5, 4, 3, 0, 1]), Board([6, 4, 7, 8, 5, 0, 3, 2, 1]))
A_STAR = Method.from_text("a-star:manhattan")
AS_PUBLISHED = Method.from_text("a-star-replace:manhattan")
COMPLETE = tuple(Method.of(name) for name, facts in ALGORITHMS.items() if facts.complete)


def main() -> None:
    """Measure everything and record it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--random", type=int, default=RANDOM_BOARDS, metavar="BOARDS")
    options = parser.parse_args()
    record(
        "lab",
        [
            *expansions(options.runs, options.random),
            *published(options.runs),
            *hardest(options.runs),
        ],
        notes="One core, plain Python; Manhattan distance where a search asks an estimate.",
    )


def expansions(runs: int, count: int) -> list[Figure]:
    """A* on boards that are all equally likely, by their seeds."""
    boards = [scramble(SIZE, GOAL, seed) for seed in range(count)]
    rates, processor_rates = [], []
    for _ in range(runs):
        began = time.process_time()
        results = [_run(board, A_STAR) for board in boards]
        processor = time.process_time() - began
        expanded = sum(result.statistics.expanded for result in results)
        rates.append(expanded / sum(result.statistics.seconds for result in results))
        processor_rates.append(expanded / processor)
    what = f"A*, Manhattan, {count} random 3×3: nodes expanded"
    rate, processor_rate = statistics.median(rates), statistics.median(processor_rates)
    return [
        Figure(what, rate, "nodes/s", 60_000, at_most=False),
        Figure("the same by processor time, check and replay in it", processor_rate, "nodes/s"),
    ]


def published(runs: int) -> list[Figure]:
    """The 27-move board of the published program, by A* and by that program."""
    return [
        Figure(f"7 5 8 2 3 4 1 X 6, {method.title}", _seconds([PUBLISHED], method, runs), "s", 0.3)
        for method in (A_STAR, AS_PUBLISHED)
    ]


def hardest(runs: int) -> list[Figure]:
    """The two boards at 31 moves, by every search that always finds a solution."""
    return [
        Figure(
            f"hardest 3×3, {method.title}",
            _seconds(HARDEST, method, runs),
            "s",
            1 if method == A_STAR else 10,
        )
        for method in COMPLETE
    ]


def _seconds(boards: Sequence[Board], method: Method, runs: int) -> float:
    """The median of the runs, of the board that takes longest."""
    return max(
        statistics.median(_run(board, method).statistics.seconds for _ in range(runs))
        for board in boards
    )


def _run(board: Board, method: Method) -> RunResult:
    result = run(board, GOAL, method, Limits())
    if result.moves is None:
        raise SystemExit(f"{method.text} found no solution of {board!r}: {result.message}")
    return result


if __name__ == "__main__":
    main()
