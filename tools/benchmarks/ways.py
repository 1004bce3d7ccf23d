"""All shortest solutions and the fewest slides of random 15-puzzles.

``ways``: the time for the layers alone, from a board of known length to the number of its shortest
solutions. ``slides``: the time of `find_slides`, from a board to its replayed solution. Databases
are mapped and kernels are compiled beforehand; building the tables of slides is measured in a new
folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

from tilework.core.search.limits import Limits
from tilework.core.solver.shortest_paths.find import (
    DEFAULT_MEMORY_BYTES,
    Layers,
    find_shortest_paths,
)
from tilework.core.solver.shortest_paths.graph import ShortestPaths
from tilework.core.solver.slides.find import find_slides
from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import build_databases, random_board, square_goal
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.timing import measure_seconds, time_call

GOAL = square_goal(4)


def measure_shortest_paths(count: int) -> Iterator[Figure]:
    folder = build_databases(4)
    find_shortest_paths(random_board(4, 0), GOAL, pdb_folder=folder)
    seconds, board_counts, solution_counts = [], [], []
    for seed in range(count):
        board = random_board(4, seed)
        optimum = solve(board, GOAL, pdb_folder=folder).lower_bound
        layers = Layers(board, GOAL, optimum, Limits(memory_bytes=DEFAULT_MEMORY_BYTES), folder)
        paths, duration_s = time_call(layers.search)
        seconds.append(duration_s)
        board_counts.append(layers.boards)
        if isinstance(paths, ShortestPaths):
            solution_counts.append(paths.count())
    label = "boards whose solutions did not fit in a gibibyte"
    yield Figure(label, count - len(solution_counts), "boards", 0)
    yield from list_time_figures(f"{count} random 15-puzzles, all shortest solutions", seconds, 1)
    yield Figure("boards stored, mean", mean(board_counts), "boards")
    yield Figure("shortest solutions, median", median(solution_counts), "solutions")
    yield Figure("shortest solutions, maximum", max(solution_counts), "solutions")


def measure_slides(count: int) -> Iterator[Figure]:
    neighbor = next(GOAL.neighbors())
    find_slides(neighbor, GOAL)
    with TemporaryDirectory() as folder:
        find = partial(find_slides, goal=GOAL, pdb_folder=Path(folder))
        build_s, mapped_s = (measure_seconds(partial(find, neighbor)) for _ in range(2))
        timings = [time_call(partial(find, random_board(4, seed))) for seed in range(count)]
    results = [result for result, _ in timings]
    yield Figure(
        "boards without a proof", sum(not result.optimal for result in results), "boards", 0
    )
    seconds = [duration_s for _, duration_s in timings]
    yield from list_time_figures(f"{count} random 15-puzzles, fewest slides", seconds, 2)
    mean_length = mean(result.lower_bound for result in results)
    yield Figure("fewest slides of a board, mean", mean_length, "slides")
    nodes = mean(result.statistics.generated for result in results)
    yield Figure("boards generated, mean", nodes, "nodes")
    yield Figure("building the tables, once", build_s, "s")
    yield Figure("a board one slide from its goal, tables mapped", 1_000 * mapped_s, "ms")


def list_time_figures(what: str, seconds: list[float], bar: float) -> Iterator[Figure]:
    yield Figure(f"{what}: mean", mean(seconds), "s", bar)
    yield Figure(f"{what}: median", median(seconds), "s")
    yield Figure(f"{what}: slowest", max(seconds), "s")


if __name__ == "__main__":
    run(
        "ways",
        __doc__,
        {
            "ways": lambda o: measure_shortest_paths(o.boards),
            "slides": lambda o: measure_slides(o.slid),
        },
        "One thread, each board once.",
        boards=100,
        slid=20,
    )
