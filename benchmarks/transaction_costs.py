"""What a worker pays around a slice: a claim, a finish, a look at its claims, a ticket.

Usage: python -m benchmarks.transaction_costs

The services' own code runs on a PostgreSQL that waits for its disk and on a SQLite file, beside as
many ready and finished slices as a large farm has. The part of a finish that holds the solve's
row is measured apart, as are the statements, each of which is a round trip where the database is
on another host. The simulation of a farm reads these costs from ``data/transaction_costs.json``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import ParamSpec, TypeVar

from sqlalchemy import Engine, event

from benchmarks.report import DATA, Figure, record
from benchmarks.ticket_cycle import seconds_per_ticket
from tests.support import servers
from tilework.core.model.solves import Claim, Solve
from tilework.core.model.states import Queue
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.search.limits import StopReason
from tilework.core.services.farm.claims import Claims
from tilework.core.services.farm.life.events import Opened, Searched
from tilework.core.services.farm.life.settle import Lives
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.jobs.submit import SubmitJob
from tilework.core.services.ports import NoTickets
from tilework.core.services.reconcile import Reconcile
from tilework.core.settings import Settings
from tilework.core.solver.result import SearchResult
from tilework.core.solver.work_unit import Piece, SliceOutcome
from tilework.core.storage.database import Database
from tilework.core.storage.schema import upgrade
from tilework.core.storage.session import Session

RECORD = DATA / "transaction_costs.json"
TURNS = 400
READY = 512
CURSOR = bytes(range(90))
ROOT = Piece(CURSOR, 1.0)
P = ParamSpec("P")
T = TypeVar("T")
OWNER = "host:12345:0123abcd"


@dataclass(frozen=True)
class Costs:
    """Medians, in seconds of wall time of a worker that is alone.

    Attributes
    ----------
    claim, finish, look, reconcile : float
        Taking a slice; ending it; the keeper's look at a claim, twice a second or so; one round of
        the reconciler.
    locked : float
        Of a finish, the part that holds the solve's row, commit included.
    claim_statements, finish_statements, locked_statements : float
        Round trips to the database, those of begin and commit included.
    ticket : float
        From one ticket to the next, where each sends its own successor.
    one_writer : bool
        Whether all writing transactions of all workers exclude each other.
    """

    claim: float
    finish: float
    locked: float
    look: float
    reconcile: float
    claim_statements: float
    finish_statements: float
    locked_statements: float
    ticket: float
    one_writer: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--ready", type=int, default=READY, help="slices that wait meanwhile")
    options = parser.parse_args()
    ticket = seconds_per_ticket(options.turns)
    costs = {}
    with servers.postgres(durable=True) as url:
        costs["postgresql"] = measured(url, ticket, options.turns, options.ready)
    with tempfile.TemporaryDirectory(prefix="tilework-") as folder:
        url = f"sqlite:///{folder}/tilework.sqlite"
        costs["sqlite"] = measured(url, ticket, options.turns, options.ready)
    DATA.mkdir(exist_ok=True)
    words = {name: asdict(cost) for name, cost in costs.items()}
    RECORD.write_text(json.dumps(words, indent=2) + "\n", encoding="utf-8")
    record(
        "transaction_costs",
        [Figure("a ticket, from one to the next", 1e3 * ticket, "ms")]
        + [figure for name, cost in costs.items() for figure in _figures(name, cost)],
        notes=f"Medians of {options.turns}, beside {options.ready} ready slices; one client. "
        "PostgreSQL over a Unix socket, waiting for its disk at each commit.",
    )


def read() -> dict[str, Costs]:
    """Return the costs measured last, by the kind of database."""
    words = json.loads(RECORD.read_text(encoding="utf-8"))
    return {name: Costs(**costs) for name, costs in words.items()}


def measured(url: str, ticket: float, turns: int, ready: int) -> Costs:
    """Measure a database that is empty so far."""
    upgrade(url)
    database = Database(url)
    settings = Settings(database_url=url)
    claims = Claims(database, settings)
    reconcile = Reconcile(database, NoTickets(), settings)
    finishing = _Finishing(database, settings)
    begin_search(database, settings, claims, ready)
    with _statements() as count:
        taking, ending, looking, healing = (
            _Timed(count),
            _Timed(count),
            _Timed(count),
            _Timed(count),
        )
        for _ in range(turns):
            claim = taking(claims.take, Queue.SEARCH, OWNER)[0]
            looking(_look, database, claim)
            ending(finishing, claim, count)
        for _ in range(max(1, turns // 10)):
            healing(reconcile.run_once)
    database.dispose()
    return Costs(
        claim=taking.median,
        finish=ending.median,
        locked=statistics.median(finishing.locked),
        look=looking.median,
        reconcile=healing.median,
        claim_statements=taking.statements,
        finish_statements=ending.statements,
        locked_statements=statistics.median(finishing.statements),
        ticket=ticket,
        one_writer=database.dialect == "sqlite",
    )


def begin_search(database: Database, settings: Settings, claims: Claims, ready: int) -> str:
    """Bring a 24-puzzle to where so many slices of a search are ready; return its job's id."""
    client = Clients(database).new()
    goal = blank_first(Size(5, 5))
    board = Board(goal.cells[::-1].copy(), 5, 5)
    job = SubmitJob(database, NoTickets(), settings)(
        Submission(start=board, goal=goal, client_id=client, time_limit_s=86_400.0)
    )
    lives = Lives(database, settings)
    [opening] = claims.take(Queue.INTERACTIVE, OWNER)
    found = SearchResult(100, None, "ida-star", stopped_by=StopReason.TIME)
    with database.writing() as session:
        now = time.time()
        event = Opened(opening.slice, found, 100, ROOT, now, 1.5)
        lives.settle(session, opening.slice.solve_id, event, now)
    [root] = claims.take(Queue.SEARCH, OWNER)
    pieces = tuple(Piece(CURSOR, 1 / ready) for _ in range(ready))
    with database.writing() as session:
        end_slice(lives, session, root, pieces)
    return job.id


def _look(database: Database, claim: Claim) -> None:
    with database.reading() as session:
        session.slices.wanted([claim.slice.id], OWNER)


def end_slice(lives: Lives, session: Session, claim: Claim, remaining: Sequence[Piece]) -> None:
    outcome = SliceOutcome(100_000_000, 102, None, tuple(remaining), "5x5 6-6-6-6")
    event = Searched(claim.slice, outcome, 1.5, 0, lambda _count: [ROOT])
    lives.settle(session, claim.slice.solve_id, event, time.time())


class _Finishing:
    """Ends slices that leave one piece; keeps how long each held its solve."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._lives = Lives(database, settings)
        self.locked: list[float] = []
        self.statements: list[int] = []

    def __call__(self, claim: Claim, count: list[int]) -> None:
        with self._database.writing() as session:
            lock = session.solves.lock
            since: list[float] = []

            def noted(solve_id: str) -> Solve:
                found = lock(solve_id)
                since.append(time.perf_counter())
                before.append(count[0])
                return found

            before: list[int] = []
            session.solves.lock = noted  # type: ignore[method-assign]
            end_slice(self._lives, session, claim, [Piece(CURSOR, claim.slice.share / 2)])
        self.locked.append(time.perf_counter() - since[0])
        self.statements.append(count[0] - before[0])


class _Timed:
    """Calls something and keeps its seconds and its statements."""

    def __init__(self, count: list[int]) -> None:
        self._count = count
        self._seconds: list[float] = []
        self._statements: list[int] = []

    def __call__(self, call: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        statements, began = self._count[0], time.perf_counter()
        result = call(*arguments, **options)
        self._seconds.append(time.perf_counter() - began)
        self._statements.append(self._count[0] - statements)
        return result

    @property
    def median(self) -> float:
        return statistics.median(self._seconds)

    @property
    def statements(self) -> float:
        return statistics.median(self._statements)


@contextmanager
def _statements() -> Iterator[list[int]]:
    """Count every statement and every commit of this process."""
    count = [0]

    def one(*_: object) -> None:
        count[0] += 1

    events = ("before_cursor_execute", "begin", "commit")
    for name in events:
        event.listen(Engine, name, one)
    try:
        yield count
    finally:
        for name in events:
            event.remove(Engine, name, one)


def _figures(name: str, costs: Costs) -> list[Figure]:
    return [
        Figure(f"{name}: claim a slice", 1e3 * costs.claim, "ms"),
        Figure(f"{name}: finish a slice", 1e3 * costs.finish, "ms"),
        Figure(f"{name}: of it, holding the solve", 1e3 * costs.locked, "ms"),
        Figure(
            f"{name}: statements of a claim and a finish",
            costs.claim_statements + costs.finish_statements,
            "",
        ),
        Figure(f"{name}: look whether a claim is still wanted", 1e3 * costs.look, "ms"),
        Figure(f"{name}: reconcile", 1e3 * costs.reconcile, "ms"),
    ]


if __name__ == "__main__":
    main()
