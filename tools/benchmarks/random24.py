"""Random 24-puzzles through the service with two workers, one after another.

Each board has ten minutes. Times are from a job's POST to its end, as the client sees it. Then its
certificate is verified as by ``tilework verify``, and so are damaged copies of it. Each board is
written to ``data/random24_boards.json`` immediately and is not solved again without ``--restart``,
so that a run that takes an hour can be interrupted. If no boards are requested, the recorded ones
are reported.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from tilework.core.formats.certificate import read_certificate
from tilework.core.services.certificates.slides import VerifyOptions
from tilework.core.services.certificates.verifier import examine
from tools.benchmarks.harness.boards import build_databases, random_board, square_goal
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import DATA, Figure, at_least, run
from tools.benchmarks.harness.system import UNLIMITED, running_system, settle
from tools.benchmarks.harness.timing import time_call

BOARDS = DATA / "random24_boards.json"
FIRST_SEED = 24
TIME_LIMIT_S = 600.0
PROVED_SHARE = 60
VERIFIED_SLICES = 10

Document = dict[str, Any]
Row = dict[str, Any]


def measure(options: argparse.Namespace) -> Iterator[Figure]:
    rows = {} if options.restart else read_rows()
    seeds = range(FIRST_SEED, FIRST_SEED + options.boards)
    if missing := [seed for seed in seeds if seed not in rows]:
        for row in solve_boards(missing):
            print(row, flush=True)
            rows[row["seed"]] = row
            if not options.trial:
                write_rows(rows.values())
    yield from report_figures(list(rows.values()))


def solve_boards(seeds: Sequence[int]) -> Iterator[Row]:
    folder = build_databases(4, 5)
    settings = {**UNLIMITED, "databases_dir": folder, "pdb_build": False}
    with running_system(workers=2, **settings) as system:
        settle(system, 4)
        for seed in seeds:
            yield solve_board(system.client(), seed, folder)


def solve_board(client: Client, seed: int, folder: Path) -> Row:
    """Solve a board within the time limit, and verify its certificate."""
    job = client.submit(random_board(5, seed), square_goal(5), time_limit_s=TIME_LIMIT_S)
    job, seconds = time_call(partial(client.wait, job))
    certificate = client.get(f"{job['links']['self']}/certificate")
    return {
        "seed": seed,
        "lower_bound": job["lower_bound"],
        "upper_bound": job["upper_bound"],
        "nodes": job["nodes"],
        "seconds": round(seconds, 1),
        "certificate_is_valid": is_valid(certificate, folder),
        "damage_is_found": not any(is_valid(copy, folder) for copy in damage(certificate)),
    }


def is_valid(document: Document, folder: Path) -> bool:
    certificate = read_certificate(json.dumps(document))
    return examine(certificate, VerifyOptions(VERIFIED_SLICES, 0, folder)).error is None


def damage(certificate: Document) -> Iterator[Document]:
    """Yield a certificate without its last move, and one with a node too many."""
    yield certificate | {"moves": certificate["moves"][:-1], "length": certificate["length"] - 1}
    if certificate["thresholds"]:
        *others, last = certificate["thresholds"]
        yield certificate | {"thresholds": [*others, last | {"nodes": last["nodes"] + 1}]}


def report_figures(rows: Sequence[Row]) -> Iterator[Figure]:
    gaps = [row["upper_bound"] - row["lower_bound"] for row in rows]
    seconds = [row["seconds"] for row in rows]
    yield Figure("random boards", len(rows), "boards")
    yield at_least(
        f"proved within {TIME_LIMIT_S / 60:g} minutes",
        100 * gaps.count(0) / len(rows),
        "%",
        PROVED_SHARE,
    )
    yield Figure("seconds per board, median", median(seconds), "s")
    yield Figure("largest gap between the bounds", max(gaps), "moves")
    for name in ("certificate_is_valid", "damage_is_found"):
        found = [row[name] for row in rows if row[name] is not None]
        what = name.replace("_", " ")
        yield at_least(f"{what}, of {len(found)}", sum(found), "boards", len(found))


def read_rows() -> dict[int, Row]:
    if not BOARDS.exists():
        return {}
    return {row["seed"]: row for row in json.loads(BOARDS.read_text(encoding="utf-8"))}


def write_rows(rows: Iterable[Row]) -> None:
    """Write the rows atomically, one per line."""
    lines = ",\n".join(json.dumps(row) for row in sorted(rows, key=lambda row: row["seed"]))
    new_file = BOARDS.with_suffix(".new")
    new_file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    new_file.replace(BOARDS)


if __name__ == "__main__":
    run("random24", __doc__, {"": measure}, f"Seeds from {FIRST_SEED}.", boards=0, restart=False)
