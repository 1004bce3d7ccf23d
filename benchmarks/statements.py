"""What is asked all the time, beside a million rows of what has ended, against none.

Usage: python -m benchmarks.statements [--rows 1000000] [--turns 200]

Two databases of each kind hold the same search under way; one of them also holds as many finished
solves, jobs, slices, bound events and runs of the lab, half of the slices and jobs of the solve
and the client that are looked at. The services' own transactions run on both in turn. PostgreSQL
does not wait for its disk, which would hide what a statement costs.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count

import psycopg
from sqlalchemy.engine import make_url

from benchmarks.report import Figure, record
from benchmarks.transaction_costs import CURSOR, OWNER, begin_search, end_slice
from tests.support import servers
from tests.support.filling import analyze, fill
from tests.support.plans import recorded, walks
from tilework.core.lab.method import Method
from tilework.core.lab.result import RunStatistics
from tilework.core.model.comparisons import ComparisonRequest
from tilework.core.model.leases import Holder
from tilework.core.model.runs import RunClaim, RunEnd
from tilework.core.model.solves import Claim
from tilework.core.model.states import Queue, RunState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.claims import Claims
from tilework.core.services.farm.keeper import Keeper
from tilework.core.services.farm.life.settle import Lives
from tilework.core.services.health import Health
from tilework.core.services.jobs.read import ReadJob
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.jobs.submit import SubmitJob
from tilework.core.services.lab.read import ReadLab
from tilework.core.services.lab.submit import SubmitComparison
from tilework.core.services.ports import NoTickets
from tilework.core.services.reconcile import Reconcile
from tilework.core.settings import Settings
from tilework.core.solver.work_unit import Piece
from tilework.core.storage.database import Database
from tilework.core.storage.schema import upgrade

ROWS = 1_000_000
TURNS = 200
READY = 300

# Before anything is timed; then tables are analyzed, as PostgreSQL does by itself after a while.
WARM_TURNS = 20
MOST_TIMES = 1.5
METHODS = [Method.from_text(text) for text in ("a-star:manhattan", "breadth-first")]


class Scene:
    """One database with a search under way, and each thing that is done to it as a method.

    Called one after the other in the order of `STEPS`, they leave things as they were.
    """

    def __init__(self, url: str, turns: int) -> None:
        upgrade(url)
        self.database = Database(url)
        settings = Settings(database_url=url)
        self._settings = settings
        self._claims = Claims(self.database, settings)
        self._end = partial(end_slice, Lives(self.database, settings))
        # Every other claim ends with nothing left.
        self.job = begin_search(
            self.database, settings, self._claims, READY + 2 * (turns + WARM_TURNS)
        )
        with self.database.reading() as session:
            solve_id = session.jobs.solve_of(self.job)
            assert solve_id is not None
            self.solve_id = solve_id
        self._read = ReadJob(self.database, NoTickets(), settings)
        self.client = self._read.view(self.job).client_id
        self._submit = SubmitJob(self.database, NoTickets(), settings)
        self._reconcile = Reconcile(self.database, NoTickets(), settings)
        self._health = Health(self.database, settings)
        self._keeper = Keeper(
            self.database, settings, (Queue.INTERACTIVE,), Lives(self.database, settings)
        )
        self._compare = SubmitComparison(self.database, NoTickets(), settings)
        self._lab = ReadLab(self.database, settings)
        self._seeds = count(1)
        self._claim: Claim
        self._run: RunClaim
        self._comparison = ""

    def claim(self) -> None:
        [self._claim] = self._claims.take(Queue.SEARCH, OWNER)

    def look(self) -> None:
        with self.database.reading() as session:
            session.slices.wanted([self._claim.slice.id], OWNER)
        self._keeper.look(self.solve_id)

    def renew(self) -> None:
        with self.database.writing() as session:
            session.slices.renew([self._claim.slice.lease], time.time() + 60.0)

    def finish(self) -> None:
        with self.database.writing() as session:
            self._end(session, self._claim, [Piece(CURSOR, self._claim.slice.share / 2)])

    def finish_empty(self) -> None:
        with self.database.writing() as session:
            self._end(session, self._claim, [])

    def reconcile(self) -> None:
        self._reconcile.run_once()

    def post(self) -> None:
        goal = blank_first(Size(5, 5))
        board = scramble(goal.size, goal, next(self._seeds))
        self._submit(Submission(start=board, goal=goal, client_id=self.client))

    def poll(self) -> None:
        self._read.version(self.job)

    def view(self) -> None:
        self._read.view(self.job)

    def health(self) -> None:
        self._health.check()
        self._read.queues()

    def compare(self) -> None:
        goal = blank_first(Size(4, 4))
        board = scramble(goal.size, goal, next(self._seeds))
        request = ComparisonRequest(client_id=self.client, start=board, goal=goal, methods=METHODS)
        self._comparison = self._compare(request).id

    def poll_comparison(self) -> None:
        self._lab.version(self._comparison)

    def claim_run(self) -> None:
        now = time.time()
        with self.database.reading() as session:
            assert session.runs.some_ready()
        with self.database.writing() as session:
            claim = session.runs.claim(Holder(OWNER, now + 60.0), now)
        assert claim is not None
        self._run = claim

    def look_run(self) -> None:
        with self.database.reading() as session:
            assert session.runs.held(self._run.lease)

    def finish_run(self) -> None:
        end = RunEnd(RunState.DONE, statistics=RunStatistics())
        with self.database.writing() as session:
            assert session.runs.finish(self._run.lease, end, time.time())


STEPS: tuple[tuple[str, Callable[[Scene], None]], ...] = (
    ("slice: claim", Scene.claim),
    ("slice: look of its keeper", Scene.look),
    ("slice: lease made longer", Scene.renew),
    ("slice: end, one piece left", Scene.finish),
    ("slice: claim ", Scene.claim),
    ("slice: end, nothing left", Scene.finish_empty),
    ("one round of the reconciler", Scene.reconcile),
    ("job: post", Scene.post),
    ("job: poll", Scene.poll),
    ("job: view", Scene.view),
    ("queues and readiness", Scene.health),
    ("comparison: post", Scene.compare),
    ("comparison: poll", Scene.poll_comparison),
    ("run: claim", Scene.claim_run),
    ("run: look of its keeper", Scene.look_run),
    ("run: end", Scene.finish_run),
    ("run: claim ", Scene.claim_run),
    ("run: end ", Scene.finish_run),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--turns", type=int, default=TURNS)
    options = parser.parse_args()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="tilework-") as folder:
        urls = [f"sqlite:///{folder}/{name}.sqlite" for name in ("empty", "filled")]
        figures += measured("SQLite", *urls, options.rows, options.turns)
    with _postgres_pair() as (empty, filled):
        figures += measured("PostgreSQL", empty, filled, options.rows, options.turns)
    record(
        "statements",
        figures,
        notes=f"{options.rows:,} finished rows in each of the tables of solves, jobs, slices, "
        f"bound events and runs; medians of {options.turns}, in turn with a database that has "
        "none of them. Times one after the other; PostgreSQL over a Unix socket.",
    )


def measured(name: str, empty: str, filled: str, rows: int, turns: int) -> list[Figure]:
    """Measure two new databases of one kind."""
    scenes = Scene(empty, turns), Scene(filled, turns)
    began = time.perf_counter()
    full = scenes[1]
    fill(full.database, rows, solve_id=full.solve_id, client_id=full.client)
    filling = time.perf_counter() - began
    # On both alike: who has been listened to once is slower ever after.
    with recorded(scenes[0].database), recorded(full.database) as statements:
        for scene in scenes:
            for _ in range(WARM_TURNS):
                for _, call in STEPS:
                    call(scene)
    if full.database.dialect == "postgresql":
        for scene in scenes:
            analyze(scene.database)
    found = walks(full.database, statements)
    for walk in found:
        print(walk)
    taken: dict[str, tuple[list[float], list[float]]] = {step: ([], []) for step, _ in STEPS}
    for turn in range(turns):
        for step, call in STEPS:
            for which in (0, 1) if turn % 2 else (1, 0):
                start = time.perf_counter()
                call(scenes[which])
                taken[step][which].append(time.perf_counter() - start)
    for scene in scenes:
        scene.database.dispose()
    figures = [Figure(f"{name}: statements whose plan walks through a table", len(found), "", 0.0)]
    for step, times in taken.items():
        if step.endswith(" "):
            continue
        none, many = (statistics.median(part) for part in times)
        print(f"{name}: {step}: {1e3 * none:.3f} ms, {1e3 * many:.3f} ms")
        figures += [
            Figure(f"{name}: {step}", 1e3 * many, "ms"),
            Figure(f"{name}: {step}, against none", many / none, "×", MOST_TIMES),
        ]
    return [*figures, Figure(f"{name}: filling", filling, "s")]


@contextmanager
def _postgres_pair() -> Iterator[tuple[str, str]]:
    with servers.postgres() as server:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("CREATE DATABASE none")
            connection.execute("CREATE DATABASE many")
        empty, filled = (
            make_url(server).set(database=name).render_as_string(hide_password=False)
            for name in ("none", "many")
        )
        yield empty, filled


if __name__ == "__main__":
    main()
