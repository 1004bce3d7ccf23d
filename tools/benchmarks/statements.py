"""What requests and workers ask of the database: seconds, statements, and walks through tables.

Usage: python -m tools.benchmarks.statements [--rows 1000000] [--turns 200]

Two databases of each kind hold the same search under way; one of them also holds as many finished
solves, jobs, slices, bound events and runs of the lab, half of the slices and jobs of the solve
and the client that are looked at. The services' own transactions run on both in turn. PostgreSQL
does not wait for its disk, which would hide what a statement costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.engine import make_url

from tests.support import servers
from tests.support.bulk_rows import analyze, insert_finished_rows
from tests.support.query_plans import find_full_scans, record_statements
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.scene import STEPS, WARM_TURNS, Scene
from tools.benchmarks.harness.timing import ms_of

MOST_TIMES = 1.5


@contextmanager
def counted_statements() -> Iterator[list[int]]:
    """Count every statement and every commit of this process."""
    counter = [0]

    def one(*_: object) -> None:
        counter[0] += 1

    events = ("before_cursor_execute", "begin", "commit")
    for name in events:
        event.listen(Engine, name, one)
    try:
        yield counter
    finally:
        for name in events:
            event.remove(Engine, name, one)


def beside_rows(name: str, urls: tuple[str, str], rows: int, turns: int) -> Iterator[Figure]:
    """Measure two new databases of one kind, of which the second is filled."""
    scenes = Scene(urls[0], turns), Scene(urls[1], turns)
    full = scenes[1]
    filling = ms_of(
        partial(
            insert_finished_rows, full.database, rows, solve_id=full.solve_id, client_id=full.client
        )
    )
    # On both alike: who has been listened to once is slower ever after.
    with record_statements(scenes[0].database), record_statements(full.database) as statements:
        for scene in scenes:
            for _ in range(WARM_TURNS):
                for _, call in STEPS:
                    call(scene)
    if full.database.dialect == "postgresql":
        for scene in scenes:
            analyze(scene.database)
    found = find_full_scans(full.database, statements)
    print(*found, sep="\n")
    yield Figure(f"{name}: statements whose plan walks through a table", len(found), "", 0)
    taken: dict[str, tuple[list[float], list[float]]] = {step: ([], []) for step, _ in STEPS}
    for turn in range(turns):
        for step, call in STEPS:
            for which in (0, 1) if turn % 2 else (1, 0):
                taken[step][which].append(ms_of(partial(call, scenes[which])))
    sent = {}
    with counted_statements() as counter:
        for step, call in STEPS:
            before = counter[0]
            call(full)
            sent[step] = counter[0] - before
    for scene in scenes:
        scene.database.dispose()
    for step, times in taken.items():
        if step:
            none, many = map(median, times)
            yield Figure(f"{name}: {step}", many, "ms")
            yield Figure(f"{name}: {step}, against none", many / none, "×", MOST_TIMES)
            yield Figure(f"{name}: {step}, statements", sent[step], "")
    yield Figure(f"{name}: filling", filling / 1_000, "s")


@contextmanager
def pairs() -> Iterator[dict[str, tuple[str, str]]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tilework-")))
        server = stack.enter_context(servers.postgres())
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("CREATE DATABASE none")
            connection.execute("CREATE DATABASE many")

        def in_postgres(name: str) -> str:
            return make_url(server).set(database=name).render_as_string(hide_password=False)

        yield {
            "SQLite": (f"sqlite:///{folder}/none.sqlite", f"sqlite:///{folder}/many.sqlite"),
            "PostgreSQL": (in_postgres("none"), in_postgres("many")),
        }


def measured(rows: int, turns: int) -> Iterator[Figure]:
    with pairs() as databases:
        for name, urls in databases.items():
            yield from beside_rows(name, urls, rows, turns)


if __name__ == "__main__":
    run(
        "statements",
        __doc__,
        {"": lambda o: measured(o.rows, o.turns)},
        "{rows:,} finished rows in each of the tables of solves, jobs, slices, bound events and "
        "runs; medians of {turns}, in turn with a database that has none of them. Times one after "
        "the other; PostgreSQL over a Unix socket.",
        rows=1_000_000,
        turns=200,
    )
