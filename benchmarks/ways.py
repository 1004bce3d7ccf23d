"""All shortest solutions of random 15-puzzles, after the optimum is known.

Usage: python -m benchmarks.ways

Seconds are those of the layers alone, from a board and its length to the number of its shortest
solutions; databases are mapped and kernels compiled before.
"""

from __future__ import annotations

import argparse
import statistics
import time

from benchmarks.ready_pdb import databases_folder
from benchmarks.report import Figure, record
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.shortest_paths.find import find_ways
from tilework.core.solver.shortest_paths.layers import DEFAULT_MEMORY_BYTES, Layers
from tilework.core.solver.shortest_paths.shortest_ways import ShortestWays
from tilework.core.solver.solve import solve

SIZE = Size(4, 4)
BOARDS = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS)
    count = parser.parse_args().boards
    folder = databases_folder()
    goal = blank_last(SIZE)
    find_ways(scramble(SIZE, goal, 0), goal, pdb_folder=folder)
    seconds, kept, numbers, missing = [], [], [], 0
    for seed in range(count):
        board = scramble(SIZE, goal, seed)
        optimum = solve(board, goal, pdb_folder=folder).lower_bound
        limits = Limits(memory_bytes=DEFAULT_MEMORY_BYTES)
        layers = Layers(board, goal, optimum, limits, folder)
        began = time.perf_counter()
        found = layers.search()
        if isinstance(found, ShortestWays):
            numbers.append(found.count())
        else:
            missing += 1
        seconds.append(time.perf_counter() - began)
        kept.append(layers.boards)
    record(
        "ways",
        [
            Figure("boards of which not all were found in a gibibyte", missing, "boards", 0),
            Figure(f"{count} random 15-puzzles, mean", statistics.mean(seconds), "s", 1),
            Figure(f"{count} random 15-puzzles, median", statistics.median(seconds), "s"),
            Figure(f"{count} random 15-puzzles, slowest", max(seconds), "s"),
            Figure("boards kept, mean", statistics.mean(kept), "boards"),
            Figure("shortest solutions, median", statistics.median(numbers), "ways"),
            Figure("shortest solutions, most", max(numbers), "ways"),
        ],
        notes="One thread; seconds after the optimum was proved, each board once.",
    )


if __name__ == "__main__":
    main()
