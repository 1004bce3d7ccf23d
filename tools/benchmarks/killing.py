"""A long search whose workers are killed again and again, and how soon cancelled ones stop.

Usage: python -m tools.benchmarks.killing [--board NUMBER] [--every 10] [--cancels 5]

Every some seconds one of the two search workers, at random, gets a ``kill -9``; the system starts
it again. What a kill costs is the search since its slice began, by the clock, at the mean rate of
the slices; what is stored of each finished threshold is compared with one undisturbed search of
it. Then searches of hard boards are cancelled, and timed until no slice runs any more.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.slice import search_slice
from tools.benchmarks.api import LARGE, SETTLE_S, Client
from tools.benchmarks.instances import Instance, korf50
from tools.benchmarks.korf24 import read_rows
from tools.benchmarks.ready_pdb import ready_pdb_folder
from tools.benchmarks.report import Figure, record
from tools.benchmarks.slice_rows import Slices
from tools.benchmarks.system import System, started_system

WORKERS = 2
EVERY_S = 10.0
CANCELS = 5
LONG_S = 560.0
"""On one core: about five minutes for two."""
FALLBACK_BOARD = 28
SEED = 9
POLL_S = 0.01


@dataclass
class Ordeal:
    """A solve whose workers were killed.

    Attributes
    ----------
    lost_s : float
        Search since the beginning of the slices that were under way at the kills.
    nodes : dict
        What was stored, by threshold.
    search_s : float
        Seconds of all the slices stored.
    """

    kills: int = 0
    lost_s: float = 0.0
    seconds: float = 0.0
    search_s: float = 0.0
    nodes: dict[int, int] = field(default_factory=dict)
    job: dict[str, Any] = field(default_factory=dict)


def main() -> None:
    options = _options()
    boards = {one.number: one for one in korf50()}
    board = boards[options.board or long_board()]
    folder = ready_pdb_folder(Size(5, 5))
    ready_pdb_folder(LARGE)
    with started_system(workers=WORKERS, databases_dir=folder, pdb_build=False) as system:
        client = Client(system.server)
        client.end(client.post(scramble(LARGE, blank_last(LARGE), seed=1)))
        time.sleep(SETTLE_S)
        ordeal = solved_under_fire(system, client, board, options.every)
        hard = sorted(boards.values(), key=lambda one: -one.length)
        cancels = [cancel_s(system, client, one) for one in hard[: options.cancels]]
    record(
        "killing",
        [*_solve_figures(ordeal, board, folder, options.every), *_cancel_figures(cancels)],
        notes="Two search workers and the rest of the system on two cores.",
    )


def solved_under_fire(system: System, client: Client, board: Instance, every: float) -> Ordeal:
    """Have a board solved while workers are killed."""
    ordeal, choose = Ordeal(), random.Random(SEED)
    with closing(Slices(system)) as slices:
        began = time.monotonic()
        job = client.post(board.board, board.goal)
        next_kill = began + every
        while job["finished_at"] is None:
            time.sleep(0.1)
            if time.monotonic() >= next_kill:
                next_kill += every
                victims = search_workers(system)
                if victims:
                    ordeal.kills += 1
                    ordeal.lost_s += kill(choose.choice(victims), slices)
                    print(f"  {job['lower_bound']} proved, {job['nodes']:,} nodes", flush=True)
            job = client.look(job)
        ordeal.seconds = time.monotonic() - began
        ordeal.nodes, ordeal.search_s = slices.stored()
    ordeal.job = job
    return ordeal


def kill(worker: int, slices: Slices) -> float:
    """Kill a process; return for how long it had been at its slice."""
    os.kill(worker, signal.SIGKILL)
    since = slices.leased_by(worker)
    return 0.0 if since is None else max(0.0, time.time() - since)


def search_workers(system: System) -> list[int]:
    """Return the process numbers of the workers that take long searches."""
    found = []
    for process in psutil.Process(system.pid).children(recursive=True):
        try:
            words = process.cmdline()
        except psutil.Error:  # it has just ended
            continue
        if "tilework.worker" in words and any(word.startswith("search-") for word in words):
            found.append(process.pid)
    return found


def undisturbed(board: Instance, thresholds: Sequence[int], folder: Path) -> int:
    """Return the nodes of some thresholds, each searched in one go."""
    form = canonicalize(board.board, board.goal)
    return sum(
        search_slice(form.board, form.goal, each, Cursor.root(), 2**62, pdb_folder=folder).nodes
        for each in thresholds
    )


def cancel_s(system: System, client: Client, board: Instance) -> float:
    """Start a search, cancel it, and return the seconds until none of its slices runs."""
    job = client.post(board.board, board.goal)
    with closing(Slices(system)) as slices:
        deadline = time.monotonic() + 60
        while slices.running() < WORKERS and time.monotonic() < deadline:
            time.sleep(POLL_S)
        began = time.monotonic()
        client.cancel(job)
        while slices.running():
            time.sleep(POLL_S)
        return time.monotonic() - began


def long_board() -> int:
    """Return the quickest of the boards recorded by `korf24` that takes two cores long enough."""
    long = [row for row in read_rows().values() if row["seconds"] >= LONG_S]
    if not long:
        return FALLBACK_BOARD
    return int(min(long, key=lambda row: row["seconds"])["board"])


def _solve_figures(ordeal: Ordeal, board: Instance, folder: Path, every: float) -> list[Figure]:
    wrong = not board.length == ordeal.job["lower_bound"] == ordeal.job["upper_bound"]
    stored = sum(ordeal.nodes.values())
    lost = 100 * ordeal.lost_s / ordeal.search_s
    finished = [threshold for threshold in ordeal.nodes if threshold < board.length]
    alone = undisturbed(board, finished, folder)
    kept = sum(ordeal.nodes[threshold] for threshold in finished)
    twice = 100 * (kept / alone - 1)
    return [
        Figure(f"#{board.number:02}, a kill every {every:g} s: wrong answers", wrong, "", 0),
        Figure("kills", ordeal.kills, ""),
        Figure("POST to proved", ordeal.seconds, "s"),
        Figure("nodes stored", stored, "nodes"),
        Figure("nodes lost with killed slices, by their time", lost, "%"),
        Figure("more nodes stored of finished thresholds than undisturbed", twice, "%"),
        Figure("more nodes because of the kills, both together", lost + twice, "%", 5),
    ]


def _cancel_figures(cancels: Sequence[float]) -> list[Figure]:
    if not cancels:
        return []
    return [
        Figure(f"cancel to no slice running, slowest of {len(cancels)}", max(cancels), "s", 3),
        Figure("cancel to no slice running, median", statistics.median(cancels), "s"),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", type=int, help="of Korf's 50; a long one that is recorded")
    parser.add_argument("--every", type=float, default=EVERY_S, metavar="SECONDS")
    parser.add_argument("--cancels", type=int, default=CANCELS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
