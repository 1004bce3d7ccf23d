"""Wrong values in every column of every table, and the failures that they cause elsewhere."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, Table
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import NullType

from tests.support import naive
from tests.support.services.scripted_solver import ScriptedSolver, solve_bounded
from tilework.core.assembly import make_services, make_task_worker
from tilework.core.model.states import TASK_QUEUES, CounterName
from tilework.core.services.audit import Audit
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.models.columns import metadata
from tilework.web.app import create_app

WRONG_VALUES: dict[str, Any] = {
    "text": "{bad",
    "bytes": b"\xff\x00{",
    "number": -1,
    "empty": "",
    "null": None,
    "huge": 10**18,
    "long": "9" * 100_000,
}
CLIENT_PATHS = ("/api/v1/jobs", "/history", "/api/v1/webhooks/deliveries")
DISTANCES = naive.distances(naive.solved_tiles(3, 2), 3)
FAR_BOARDS = sorted(board for board, length in DISTANCES.items() if length >= 12)
NEW_BOARD = FAR_BOARDS[0]


@dataclass(frozen=True)
class Case:
    """A column, and the kind of value written to it."""

    table: Table
    column: Column[Any]
    kind: str

    def __str__(self) -> str:
        return f"{self.table.name}.{self.column.name}-{self.kind}"


def list_cases() -> list[Case]:
    """Return the cases of all columns except primary keys."""
    return [
        Case(table, column, kind)
        for table in metadata.sorted_tables
        for column in table.columns
        for kind, value in WRONG_VALUES.items()
        if not column.primary_key and (value is not None or column.nullable)
    ]


class Service:
    """The whole service in this process, with data of two clients."""

    def __init__(self, url: str, folder: Path) -> None:
        self.settings = Settings(data_dir=folder, database_url=url, rate_limit="1000000/minute")
        self.services = make_services(self.settings, NoTickets())
        self.database: Any = self.services.storage
        self._client = create_app(self.settings, self.services).test_client(use_cookies=False)
        boards = iter(random.Random(1).sample(FAR_BOARDS[1:], 10))
        self.victim = self._fill(boards)
        self._victim_counts = {name: len(rows) for name, rows in self._read_rows().items()}
        self.bystander = self._fill(boards)
        self._saved_rows = self._read_rows()

    def _fill(self, boards: Any) -> str:
        key_view, key = self.services.clients.create_key("key")
        job = self._post(key, "jobs", board=format_board(board := next(boards)))
        self._post(key, "batches", boards=[format_board(next(boards)), format_board(next(boards))])
        methods = ["a-star:manhattan", "breadth-first"]
        self._post(key, "comparisons", board=format_board(board), methods=methods)
        self._post(key, "analyses", board="1 2 3 / 0 4 5", moves="LL")
        self._post(key, "ways", board=format_board(board))
        self.work()
        # A search that is in progress.
        headers = {"Idempotency-Key": "again"}
        self._post(key, "jobs", headers=headers, board=format_board(next(boards)))
        solver = ScriptedSolver()
        solver.solve_scripts.append(solve_bounded)
        self._work_on("interactive", solver=solver)
        with self.database.writing() as session:
            now = self.database.clock()
            session.workers.record_heartbeat(key, now, skew_s=0.0, version="1", ready_at=None)
            session.counters.add(next(iter(CounterName)), key, 1)
            session.tasks.add_call(job, key_view.client_id, "https://example.com/", now + 1e6)
            session.webhooks.set_headers(key_view.client_id, {"X-Team": "a"}, now)
            session.webhooks.rotate(key_view.client_id, "5a17", now)
            session.webhooks.log(job, 1, 503, "it answered 503", now)
        return key

    def request(self, key: str, path: str, headers: Any = None, **options: Any) -> Any:
        method = options.pop("method", "POST" if "json" in options else "GET")
        headers = {"Authorization": f"Bearer {key}"} | (headers or {})
        return self._client.open(path, method=method, headers=headers, **options)

    def _post(self, key: str, path: str, headers: Any = None, **body: Any) -> str:
        response = self.request(key, f"/api/v1/{path}", json=body, headers=headers)
        assert response.status_code in (200, 201, 202), response.text
        return str(response.json["id"])

    def work(self) -> None:
        """Do all available work, as workers would."""
        self._work_on("interactive", "batch", "search")
        for queue in TASK_QUEUES:
            worker = make_task_worker(self.settings, self.database, queue)
            while worker.run("test", lambda: False).has_more:
                pass

    def _work_on(self, *queues: str, solver: ScriptedSolver | None = None) -> None:
        worker = SliceWorker(self.database, NoTickets(), self.settings, solver or ScriptedSolver())
        for queue in queues:
            while worker.run(queue, "test", lambda: False).has_more:
                pass

    def _read_rows(self) -> dict[str, list[Any]]:
        """Return all rows without type conversion, in order of insertion."""
        with self.database.engine(writes=False).connect() as connection:
            return {
                table.name: connection.execute(
                    sa.select(*(sa.type_coerce(column, NullType()) for column in table.columns))
                ).all()
                for table in metadata.sorted_tables
            }

    def restore(self) -> None:
        """Restore all rows."""
        with self.database.engine(writes=True).begin() as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(sa.delete(table))
            for table in metadata.sorted_tables:
                names = [column.name for column in table.columns]
                untyped_table = sa.table(table.name, *map(sa.column, names))
                rows = [dict(zip(names, row, strict=True)) for row in self._saved_rows[table.name]]
                if rows:
                    connection.execute(untyped_table.insert(), rows)

    def damage(self, case: Case) -> bool:
        """Damage a row of the victim; return whether the database accepts the value."""
        rows = self._saved_rows[case.table.name][: self._victim_counts[case.table.name]]
        if not rows:
            return False
        row = random.Random(str(case)).choice(rows)
        values = dict(zip((column.name for column in case.table.columns), row, strict=True))
        is_row = sa.and_(*(column == values[column.name] for column in case.table.primary_key))
        value = sa.type_coerce(WRONG_VALUES[case.kind], NullType())
        try:
            with self.database.engine(writes=True).begin() as connection:
                connection.execute(sa.update(case.table).where(is_row).values({case.column: value}))
        except (DBAPIError, OverflowError):
            return False
        return True


def format_board(tiles: tuple[int, ...]) -> str:
    return " ".join(map(str, tiles[:3])) + " / " + " ".join(map(str, tiles[3:]))


def find_failures(service: Service, case: Case) -> list[str]:
    """Damage a row; return the failures of requests for other rows, and of the services."""
    failures: list[str] = []

    def check(name: str, response: Any) -> Any:
        if response.status_code >= 500:
            failures.append(f"{case}: {name}: {response.status_code} {response.text[:200]}")
        return response

    def attempt(name: str, action: Any) -> Any:
        try:
            return action()
        except Exception as error:
            failures.append(f"{case}: {name}: {type(error).__name__} {error}"[:300])

    for path in CLIENT_PATHS:
        check(f"the victim's {path}", service.request(service.victim, path))
    for path in ("/api/v1/statistics", "/api/v1/queues", "/api/v1/jobs", "/api/v1/history"):
        check(path, service.request(service.bystander, path))
    board = {"board": format_board(NEW_BOARD)}
    job = check("a post", service.request(service.bystander, "/api/v1/jobs", json=board)).json
    attempt("reconcile", Reconciler(service.database, NoTickets(), service.settings).run_once)
    attempt("work", service.work)
    audit = Audit(service.database, service.settings)
    report = attempt("audit", lambda: audit(reset=True))
    is_damaged = report is None or report.damaged
    second_report = attempt("a second audit", lambda: audit(reset=True)) if is_damaged else None
    if second_report is not None and second_report.damaged:
        failures.append(f"{case}: still damaged: {second_report.listed}")
    path = f"/api/v1/jobs/{job['id']}"
    final_job = check("the job", service.request(service.bystander, path)).json
    if (final_job["state"], final_job["upper_bound"]) != ("optimal", DISTANCES[NEW_BOARD]):
        failures.append(f"{case}: the job is {final_job['state']} with {final_job['upper_bound']}")
    for path in CLIENT_PATHS[:1]:
        check(f"then the victim's {path}", service.request(service.victim, path))
    return failures


def damage_each(service: Service, cases: Iterable[Case]) -> int:
    """Damage each value in otherwise intact rows; return how many the database accepted."""
    damaged, failures = 0, []
    for case in cases:
        if service.damage(case):
            damaged += 1
            failures += find_failures(service, case)
            service.restore()
    assert not failures, "\n".join(failures)
    return damaged
