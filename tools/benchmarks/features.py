"""The service and the command beside their searches: hints, the lab, and pattern databases.

``hints``: milliseconds from POST to the response, for players who follow hints from a random board.
``lab``: textbook searches in plain Python, of random boards and of a 3×3 board at 31 moves, and a
comparison of the ten default methods as a client sees it. ``databases``: ``tilework pdb build``
into an empty folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from tilework.core.lab.methods import ALGORITHMS, Method
from tilework.core.lab.run import run as run_method
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits
from tilework.core.solver.pdb.files import database_path, open_or_build
from tilework.core.solver.pdb.partitions import partitions_for
from tilework.core.solver.pdb.verify import verify
from tools.benchmarks.boards import random_board, square_goal
from tools.benchmarks.client import Client
from tools.benchmarks.programs import TILEWORK, measure_ms, run_program, time_call
from tools.benchmarks.record import Figure, run
from tools.benchmarks.system import UNLIMITED, running_system, settle

HINT_BARS_MS = {3: 100, 4: 100, 5: 2_000}
HARDEST = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
COMPLETE_METHODS = tuple(Method.of(name) for name, facts in ALGORITHMS.items() if facts.complete)
NODE_LIMIT = 2_000_000
BUILD_BARS_S = {4: 75.0, 5: 180.0}


def follow_hints(client: Client, board: Board) -> Iterator[float]:
    """Follow hints to the goal; yield the milliseconds of each."""
    remaining = float("inf")
    while board != square_goal(board.width):
        request = partial(client.post, "/api/v1/hints", {"board": board.cells.tolist()})
        hint, seconds = time_call(request)
        if hint["upper_bound"] >= remaining:
            raise SystemExit(f"a hint did not lead closer to the goal: {board!r}")
        remaining = hint["upper_bound"]
        board = apply(board, from_letters(hint["moves"][:1]))
        yield 1_000 * seconds


def measure_hints(games: int) -> Iterator[Figure]:
    with running_system(**UNLIMITED, pdb_build=False) as system:
        settle(system, *HINT_BARS_MS)
        client = system.client()
        for side, bar in HINT_BARS_MS.items():
            boards = [random_board(side, 20_260_123 + game) for game in range(games)]
            times = [
                milliseconds for board in boards for milliseconds in follow_hints(client, board)
            ]
            yield Figure(f"hints, {side}×{side}: median", median(times), "ms")
            p95 = quantiles(times, n=20)[-1]
            yield Figure(f"hints, {side}×{side}: 95th percentile", p95, "ms", bar)


def measure_lab(count: int) -> Iterator[Figure]:
    a_star = Method.from_text("a-star:manhattan")
    boards = [random_board(3, seed) for seed in range(count)]
    results = [run_method(board, square_goal(3), a_star, Limits()) for board in boards]
    expanded = sum(result.statistics.expanded for result in results)
    rate = expanded / sum(result.statistics.seconds for result in results)
    label = f"A*, Manhattan, {count} random 3×3: nodes expanded"
    yield Figure(label, rate, "nodes/s", at_least=60_000)
    for method in COMPLETE_METHODS:
        result = run_method(HARDEST, square_goal(3), method, Limits())
        if result.moves is None:
            raise SystemExit(f"{method.text} found no solution: {result.message}")
        seconds = result.statistics.seconds
        yield Figure(f"a 3×3 at 31 moves, {method.title}", seconds, "s", 10)
    with running_system(**UNLIMITED) as system:
        settle(system, 3, 4)
        # An identical run would not be repeated.
        limits = (NODE_LIMIT, NODE_LIMIT - 1, NODE_LIMIT)
        times = [measure_ms(partial(compare, system.client(), limit)) for limit in limits]
    yield Figure("ten methods on a 3×3 at 31 moves, all rows", min(times[:2]) / 1_000, "s", 15)
    yield Figure("ten methods on a 3×3 at 31 moves, already known", times[2], "ms")


def compare(client: Client, node_limit: int) -> None:
    """Request a comparison, and wait until it ends."""
    request = {"board": HARDEST.cells.tolist(), "node_limit": node_limit}
    comparison = client.post("/api/v1/comparisons", request)
    while comparison["unfinished"]:
        comparison = client.get(
            f"{comparison['links']['self']}?wait=20&since={comparison['version']}"
        )
    for row in comparison["runs"]:
        if (
            row["state"] != "done"
            or row["length"] is None
            or row["optimal"] > (row["length"] == 31)
        ):
            raise SystemExit(f"{row['method']} ended {row['state']} with {row['length']} moves")


def measure_databases() -> Iterator[Figure]:
    for side, bar in BUILD_BARS_S.items():
        partition = partitions_for(Size(side, side))[0]
        name = f"{side}×{side} {partition.name}"
        with TemporaryDirectory() as folder_name:
            folder, title = Path(folder_name), partition.title.replace(" ", "-")
            result = run_program([TILEWORK, "pdb", "build", title, "--databases", folder_name])
            yield Figure(f"{name}: build and store", result.seconds, "s", bar)
            yield Figure(f"{name}: the same in processor time", result.processor_s, "s")
            yield Figure(f"{name}: peak memory of the build", result.bytes / 1e6, "MB", 3_000)
            database = open_or_build(partition, folder)
            _, seconds = time_call(partial(verify, partition, database.entries))
            yield Figure(f"{name}: verify every entry", seconds, "s")
            size = database_path(partition, folder).stat().st_size
            yield Figure(f"{name}: size on disk", size / 1e6, "MB")


if __name__ == "__main__":
    run(
        "features",
        __doc__,
        {
            "hints": lambda o: measure_hints(o.games),
            "lab": lambda o: measure_lab(o.boards),
            "databases": lambda _: measure_databases(),
        },
        boards=200,
        games=10,
    )
