"""Random 24-puzzles through the service with two workers, one after another.

Each board has ten minutes. Times are from a job's POST to its end, as the client sees it. At the
end, all certificates are verified as by ``tilework verify``, and damaged copies of them as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from tilework.core.formats.certificate import read_certificate
from tilework.core.services.certificates.slides import VerifyOptions
from tilework.core.services.certificates.verifier import examine
from tools.benchmarks.harness.boards import build_databases, random_board, square_goal
from tools.benchmarks.harness.report import Figure, at_least, run
from tools.benchmarks.harness.system import UNLIMITED, running_system, settle
from tools.benchmarks.harness.timing import time_call

TIME_LIMIT_S = 600.0
PROVED_SHARE = 60
VERIFIED_SLICES = 10

Document = dict[str, Any]


def measure(boards: int, seed: int) -> Iterator[Figure]:
    """Solve boards with consecutive seeds."""
    folder, goal = build_databases(4, 5), square_goal(5)
    times, gaps, certificates = [], [], []
    settings = {**UNLIMITED, "databases_dir": folder, "pdb_build": False}
    with running_system(workers=2, **settings) as system:
        settle(system, 4)
        client = system.client()
        for board_seed in range(seed, seed + boards):
            job = client.submit(random_board(5, board_seed), goal, time_limit_s=TIME_LIMIT_S)
            job, seconds = time_call(partial(client.wait, job))
            gap = job["upper_bound"] - job["lower_bound"]
            print(
                f"  seed {board_seed}: {job['lower_bound']} ≤ optimal ≤ {job['upper_bound']}, "
                f"{job['nodes']:,} nodes, {seconds:.1f} s",
                flush=True,
            )
            times.append(seconds)
            gaps.append(gap)
            certificates.append(client.get(f"{job['links']['self']}/certificate"))
    proved = gaps.count(0)
    yield at_least(
        f"of {boards}, proved within {TIME_LIMIT_S / 60:g} minutes",
        100 * proved / boards,
        "%",
        PROVED_SHARE,
    )
    yield Figure("time until a board is proved or its time is over, median", median(times), "s")
    yield Figure("the same, total", sum(times), "s")
    yield Figure("largest gap between the bounds", max(gaps), "moves")
    verified = sum(is_valid(document, folder) for document in certificates)
    yield at_least("valid certificates", verified, "", boards)
    damaged = [copy for document in certificates for copy in damage(document)]
    accepted = sum(is_valid(document, folder) for document in damaged)
    yield Figure(f"damaged certificates that pass, of {len(damaged)}", accepted, "", 0)


def damage(certificate: Document) -> Iterator[Document]:
    """Yield a certificate without its last move, and one with a node too many."""
    yield certificate | {"moves": certificate["moves"][:-1], "length": certificate["length"] - 1}
    if certificate["thresholds"]:
        *others, last = certificate["thresholds"]
        yield certificate | {"thresholds": [*others, last | {"nodes": last["nodes"] + 1}]}


def is_valid(document: Document, folder: Path) -> bool:
    certificate = read_certificate(json.dumps(document))
    return examine(certificate, VerifyOptions(VERIFIED_SLICES, 0, folder)).error is None


if __name__ == "__main__":
    run(
        "random24",
        __doc__,
        {"": lambda o: measure(o.boards, o.seed)},
        "{boards} boards from seed {seed}.",
        boards=20,
        seed=24,
    )
