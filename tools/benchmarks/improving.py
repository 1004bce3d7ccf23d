"""Large boards on the service: how good the answers get, how soon, and what it takes.

Usage: python -m tools.benchmarks.improving [--parts first against steady kills beside many
    memory again workers] [--seconds 60] [--boards 3]
       python -m tools.benchmarks.improving --hours 1 --side 24

``first``: seconds from POST to the first solution. ``against``: jobs against `tilework solve` with
the same time and cores. ``workers``: two of them for 30 s against one for 50 s. ``steady``: 30 s of
10×10. ``kills``: ``kill -9`` of a worker every five seconds, against a job left alone. ``beside``:
small boards of another client meanwhile. ``many``: 20 clients with a large board each. ``memory``:
the processes of a system that solves 256×256. ``again``: a board seen before, mirrored.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Iterator

from tools.benchmarks.api import Client
from tools.benchmarks.improving_parts import (
    again,
    against_solve,
    beside,
    first_answers,
    kills,
    many,
    memory,
    post,
    ratio,
    settled,
    square,
    steady,
)
from tools.benchmarks.large_boards import random_boards
from tools.benchmarks.report import DATA, Figure, kept_figures, record
from tools.benchmarks.system import System, started_system

NAME = "improving"
CURVES = DATA / "improving_curves.json"
KILL_EVERY_S = 5.0


def follow(hours: float, side: int) -> None:
    """Improve a board for hours with two workers, and keep the curve and what paid."""
    board = random_boards(square(side), 1)[0]
    with started_system(workers=2, pdb_build=False) as system:
        client = settled(system)
        job = client.end(post(client, board, 3_600 * hours))
        history = client.ask("GET", f"/api/v1/jobs/{job['id']}/history")["events"]
    curves = json.loads(CURVES.read_text(encoding="utf-8")) if CURVES.exists() else {}
    begun = job["created_at"]
    curves[f"{board.size}, {hours:g} h"] = {
        "manhattan": board.manhattan(),
        "lower_bound": job["lower_bound"],
        "moves": [
            (round(one["time"] - begun, 2), one["upper_bound"])
            for one in history
            if one["upper_bound"] is not None
        ],
        "paid": job.get("improvement"),
    }
    CURVES.write_text(json.dumps(curves, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def two_against_one(count: int) -> Iterator[Figure]:
    """Compare two workers for 30 s with one for 50 s."""
    boards = random_boards(square(12), count)
    means = []
    for workers, seconds in ((2, 30.0), (1, 50.0)):
        with started_system(workers=workers, pdb_build=False) as system:
            client = settled(system)
            jobs = [client.end(post(client, board, seconds)) for board in boards]
            means.append(statistics.mean(map(ratio, jobs, boards)))
    yield Figure("12×12, two workers for 30 s, mean ratio", means[0], "", means[1])
    yield Figure("12×12, one worker for 50 s, mean ratio", means[1], "")


def under_kills(seconds: float) -> Iterator[Figure]:
    """Compare a job whose workers are killed with one left alone, of the same board."""
    ratios = []
    for every in (None, KILL_EVERY_S):
        with started_system(workers=2, pdb_build=False) as system:
            settled(system)
            ratios.append(kills(system, Client(system.server), seconds, every))
    yield Figure("16×16, left alone, ratio", ratios[0], "")
    yield Figure("16×16, kills every 5 s, ratio worse by", ratios[1] - ratios[0], "", 0.03)


Part = Callable[[System, Client, argparse.Namespace], Iterator[Figure]]
PARTS: dict[str, Part] = {
    "first": lambda system, client, _: first_answers(system, client),
    "against": lambda system, _, options: against_solve(system, options.seconds, options.boards),
    "steady": lambda _, client, __: steady(client),
    "beside": lambda system, client, _: beside(system, client),
    "many": lambda system, _, options: many(system, options.seconds),
    "memory": lambda system, client, options: memory(system, client, options.seconds),
    "again": lambda system, client, _: again(system.server, client),
}


ALL_PARTS = (*PARTS, "workers", "kills")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", nargs="+", choices=ALL_PARTS, default=ALL_PARTS)
    parser.add_argument("--seconds", type=float, default=60.0, help="of most jobs")
    parser.add_argument("--boards", type=int, default=3)
    parser.add_argument("--hours", type=float, help="follow one board instead")
    parser.add_argument("--side", type=int, default=24)
    options = parser.parse_args()
    if options.hours:
        follow(options.hours, options.side)
        return
    figures: list[Figure] = []
    parts = [name for name in options.parts if name in PARTS]
    if parts:
        with started_system(workers=2, pdb_build=False) as system:
            settled(system)
            for name in parts:
                # A new client each: an idle connection is closed.
                for figure in PARTS[name](system, Client(system.server), options):
                    print(figure.row(), flush=True)
                    figures.append(figure)
    if "workers" in options.parts:
        figures += two_against_one(options.boards)
    if "kills" in options.parts:
        figures += under_kills(options.seconds)
    figures = [*kept_figures(NAME, figures), *figures]
    record(NAME, figures, notes="Two search workers and the rest of the system on two cores.")


if __name__ == "__main__":
    main()
