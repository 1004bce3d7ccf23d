"""All shortest solutions and the fewest slides of random 15-puzzles.

``ways``: seconds of the layers alone, from a board of known length to the number of its shortest
solutions. ``slides``: seconds of `find_slides`, from a board to its replayed solution. Databases
are mapped and kernels compiled before; building the tables of slides is measured in a new folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

from tilework.core.search.limits import Limits
from tilework.core.solver.shortest_paths.find import find_shortest_paths
from tilework.core.solver.shortest_paths.graph import ShortestPaths
from tilework.core.solver.shortest_paths.layers import DEFAULT_MEMORY_BYTES, Layers
from tilework.core.solver.slides.find import find_slides
from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import databases, random_board, square_goal
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.timing import measure_seconds, time_call

GOAL = square_goal(4)


def ways(count: int) -> Iterator[Figure]:
    folder = databases(4)
    find_shortest_paths(random_board(4, 0), GOAL, pdb_folder=folder)
    seconds, stored, numbers = [], [], []
    for seed in range(count):
        board = random_board(4, seed)
        optimum = solve(board, GOAL, pdb_folder=folder).lower_bound
        layers = Layers(board, GOAL, optimum, Limits(memory_bytes=DEFAULT_MEMORY_BYTES), folder)
        paths, took = time_call(layers.search)
        seconds.append(took)
        stored.append(layers.boards)
        if isinstance(paths, ShortestPaths):
            numbers.append(paths.count())
    label = "boards whose solutions did not fit in a gibibyte"
    yield Figure(label, count - len(numbers), "boards", 0)
    yield from times(f"{count} random 15-puzzles, all shortest solutions", seconds, 1)
    yield Figure("boards stored, mean", mean(stored), "boards")
    yield Figure("shortest solutions, median", median(numbers), "solutions")
    yield Figure("shortest solutions, maximum", max(numbers), "solutions")


def slides(count: int) -> Iterator[Figure]:
    near = next(GOAL.neighbors())
    find_slides(near, GOAL)
    with TemporaryDirectory() as words:
        find = partial(find_slides, goal=GOAL, pdb_folder=Path(words))
        built, mapped = (measure_seconds(partial(find, near)) for _ in range(2))
        timings = [time_call(partial(find, random_board(4, seed))) for seed in range(count)]
    results = [result for result, _ in timings]
    yield Figure(
        "boards without a proof", sum(not result.optimal for result in results), "boards", 0
    )
    seconds = [took for _, took in timings]
    yield from times(f"{count} random 15-puzzles, fewest slides", seconds, 2)
    lengths = mean(result.lower_bound for result in results)
    yield Figure("fewest slides of a board, mean", lengths, "slides")
    nodes = mean(result.statistics.generated for result in results)
    yield Figure("boards generated, mean", nodes, "nodes")
    yield Figure("building the tables, once", built, "s")
    yield Figure("a board one slide from its goal, tables mapped", 1_000 * mapped, "ms")


def times(what: str, seconds: list[float], bar: float) -> Iterator[Figure]:
    yield Figure(f"{what}: mean", mean(seconds), "s", bar)
    yield Figure(f"{what}: median", median(seconds), "s")
    yield Figure(f"{what}: slowest", max(seconds), "s")


if __name__ == "__main__":
    run(
        "ways",
        __doc__,
        {"ways": lambda o: ways(o.boards), "slides": lambda o: slides(o.slid)},
        "One thread, each board once.",
        boards=100,
        slid=20,
    )
