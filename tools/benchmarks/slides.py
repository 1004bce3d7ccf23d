"""Fewest slides of random 15-puzzles.

Usage: python -m tools.benchmarks.slides

Seconds are those of `find_slides`, from a board to its replayed solution; the databases are built
and mapped before. What building takes is measured in a folder of its own.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.slides.find import find_slides
from tools.benchmarks.report import Figure, record

SIZE = Size(4, 4)
BOARDS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS)
    count = parser.parse_args().boards
    goal = blank_last(SIZE)
    near = next(goal.neighbors())
    # Compiled kernels are not what is measured.
    find_slides(near, goal)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.perf_counter()
        find_slides(near, goal, pdb_folder=folder)
        built = time.perf_counter() - began
        began = time.perf_counter()
        find_slides(near, goal, pdb_folder=folder)
        mapped = time.perf_counter() - began
        seconds, lengths, nodes, missing = [], [], [], 0
        for seed in range(count):
            began = time.perf_counter()
            found = find_slides(scramble(SIZE, goal, seed), goal, pdb_folder=folder)
            seconds.append(time.perf_counter() - began)
            missing += not found.optimal
            lengths.append(found.lower_bound)
            nodes.append(found.statistics.generated)
    record(
        "slides",
        [
            Figure("boards that were not proved", missing, "boards", 0),
            Figure(f"{count} random 15-puzzles, mean", statistics.mean(seconds), "s", 2),
            Figure(f"{count} random 15-puzzles, median", statistics.median(seconds), "s"),
            Figure(f"{count} random 15-puzzles, slowest", max(seconds), "s"),
            Figure("fewest slides of a board, mean", statistics.mean(lengths), "slides"),
            Figure("boards generated, mean", statistics.mean(nodes), "nodes"),
            Figure("building the tables, once", built, "s"),
            Figure("a board one slide from its goal, tables mapped", 1_000 * mapped, "ms"),
        ],
        notes="One thread, each board once.",
    )


if __name__ == "__main__":
    main()
