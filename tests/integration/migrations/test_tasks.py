"""Runs, analyses and callbacks of schema 0022 become tasks; a downgrade restores them."""

import json
import zlib

import numpy as np
import pytest
from sqlalchemy import MetaData, Table, select

from tests.support.services.service_fixture import make_service_fixture
from tilework.core.assembly import make_services, make_task_worker
from tilework.core.lab.method import Method
from tilework.core.messages import Message
from tilework.core.model.lab.comparisons import RunLimits
from tilework.core.model.states import TASK_QUEUES, RunState
from tilework.core.model.task_specs import GameSpec, RunSpec, ShortestPathsSpec
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import pack, pack_board
from tilework.core.services.audit import Audit
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tasks.callbacks import CallbackDelivery
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.schema import check, downgrade, upgrade
from tilework.core.storage.tasks.rows import RESULT

OLD_TABLES = ("search_run", "comparison", "comparison_run", "job_run", "analysis", "callback")
BOARD = Board([1, 2, 3, 4, 5, 6, 0, 7, 8])
GOAL = blank_last(BOARD.size)
FAR_BOARD = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
BOARDS = {"board": pack_board(BOARD), "goal": pack_board(GOAL)}
LEASE = {"owner": "somebody:1:ab", "lease_until": 50.0, "attempts": 1, "started_at": 40.0}
TIMES = {"turn": 30.5, "attempts": 0, "version": 3, "created_at": 10.25, "updated_at": 20.5}
LIMITS = RunLimits(10.0, 1_000_000, 2**30)
END = {"started_at": 40.0, "finished_at": 41.5, "attempts": 1}
FAILURE = Message("run-failed", "The run failed: {error}", error="KeyError").to_json()
STATISTICS = {"expanded": 3, "generated": 7, "seconds": 0.25, "max_frontier": 5, "visited": 3}
STATISTICS |= {"frontier": 4, "duplicates": 1, "depth": 2, "branching": 1.5, "memory_bytes": 900}
TRACE = {"first": 2, "last": 1, "every": 0, "expanded": 3, "path": [0, 2], "steps": []}
METHODS = {
    "queued": "a-star:manhattan",
    "running": "breadth-first",
    "done": "greedy:manhattan",
    "failed": "ida-star:manhattan",
    "cancelled": "weighted-a-star:manhattan:2",
}


def make_id(number):
    return f"01900000-0000-7000-8000-{number:012d}"


def compress(document):
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode())


def make_state_columns(state):
    if state == "queued":
        return {"state": state}
    return {"state": state} | (LEASE if state == "running" else END)


def make_run(number, state):
    method = METHODS[state]
    spec = RunSpec(BOARD, GOAL, Method.from_text(method), LIMITS, None)
    row = {"id": make_id(number), "key": spec.key, "width": 3, "height": 3, "method": method}
    row |= {"time_limit_s": 10.0, "node_limit": 1_000_000, "memory_limit": 2**30}
    row |= TIMES | make_state_columns(state) | BOARDS
    if state == "done":
        solution = {"length": 2, "moves": pack(from_letters("LL")), "trace": compress(TRACE)}
        row |= {"statistics": json.dumps(STATISTICS), **solution}
    return row | ({"message": FAILURE} if state == "failed" else {})


def make_analysis(number, state, client, spec, **columns):
    row = {"id": make_id(number), "client_id": client, "key": spec.key, "kind": spec.kind.value}
    row |= {"time_limit_s": spec.seconds, "queue": "quick-analysis"}
    row |= TIMES | make_state_columns(state) | BOARDS | columns
    if state == "running":
        row |= {"settled": 1, "total": 3, "lower_bound": 1, "upper_bound": None}
    return row


def make_game(number, state, client):
    seconds = {"queued": 60.0, "running": 59.0, "done": 58.0, "failed": 57.0, "cancelled": 56.0}
    spec = GameSpec(BOARD, GOAL, from_letters("LRLL"), (0, 300, 300, 90_000), seconds[state])
    times = zlib.compress(np.array(spec.times_ms, dtype="<u4").tobytes())
    return make_analysis(number, state, client, spec, moves=pack(spec.moves), times=times)


def make_ways(number, state, client):
    spec = ShortestPathsSpec(FAR_BOARD if state == "done" else BOARD, GOAL, 60.0, 2**28 - number)
    columns = {"memory_limit": spec.memory_bytes, "board": pack_board(spec.start)}
    return make_analysis(number, state, client, spec, **columns)


def read_rows(database):
    """Return the rows of the old tables, unconverted."""
    rows_by_table = {}
    with database.engine(writes=False).connect() as connection:
        for name in OLD_TABLES:
            table = Table(name, MetaData(), autoload_with=connection)
            rows = connection.execute(select(table).order_by(*table.primary_key)).mappings()
            rows_by_table[name] = [dict(row) for row in rows]
    return rows_by_table


def insert(database, name, rows):
    with database.engine(writes=True).begin() as connection:
        table = Table(name, MetaData(), autoload_with=connection)
        for row in rows:
            connection.execute(table.insert(), row)


@pytest.fixture
def old_client(url, database, tmp_path):
    """A client with a job and tasks of each kind in each state, in a database with schema 0022."""
    upgrade(url)
    service = make_service_fixture(database, tmp_path)
    job = service.request(Board([1, 2, 3, 4, 5, 6, 7, 0, 8]))
    service.work()
    downgrade(url, "0022")
    states = tuple(METHODS)
    insert(database, "search_run", [make_run(index, state) for index, state in enumerate(states)])
    comparison = {"id": make_id(90), "client_id": service.client, "key": "k", "total": len(states)}
    comparison |= {"time_limit_s": 10.0, "node_limit": 1_000_000, "memory_limit": 2**30}
    methods = " ".join(METHODS.values())
    insert(database, "comparison", [comparison | BOARDS | {"created_at": 9.0, "methods": methods}])
    positions = [
        {"comparison_id": make_id(90), "place": index, "run_id": make_id(index), "board_index": 0}
        for index in range(len(states))
    ]
    insert(database, "comparison_run", [position | {"shared": False} for position in positions])
    games = [make_game(10 + index, state, service.client) for index, state in enumerate(states)]
    searches = [make_ways(20 + index, state, service.client) for index, state in enumerate(states)]
    insert(database, "analysis", [*games, *searches])
    call = {"job_id": job.id, "url": "https://example.com/", "created_at": 5.0, "due_at": 6.0}
    waiting_call = call | {"id": make_id(30), "state": "waiting", "attempts": 3}
    lease = {name: LEASE[name] for name in ("owner", "lease_until", "attempts")}
    calling = call | {"id": make_id(31), "state": "calling"} | lease
    insert(database, "callback", [waiting_call, calling])
    return service.client


def test_upgrade_and_downgrade_lose_nothing(url, database, old_client):
    rows_before = read_rows(database)
    assert [len(rows_before[name]) for name in OLD_TABLES] == [5, 1, 5, 0, 10, 2]
    upgrade(url)
    assert check(url) == []
    downgrade(url, "0022")
    assert read_rows(database) == rows_before


def test_tasks_continue_after_the_migration(url, database, old_client, tmp_path):
    upgrade(url)
    settings = Settings(
        data_dir=tmp_path,
        database_url=url,
        callback_hosts="example.com",
        callback_secret="s" * 32,
        callback_patience_s=1e12,
    )
    services = make_services(settings, NoTickets())
    assert Audit(database, settings)().damaged == 0
    view = services.comparisons.view(make_id(90))
    assert [run.state for run in view.runs] == list(METHODS)
    finished_run = view.runs[2]
    assert (finished_run.length, finished_run.has_trace) == (2, True)
    assert finished_run.statistics.generated == 7
    assert services.comparisons.trace(finished_run.id) == TRACE
    assert str(view.runs[3].message) == "The run failed: KeyError"
    games = services.games.list_by_client(old_client)
    assert [game.state for game in reversed(games)] == list(METHODS)
    assert games[0].spec.times_ms == (0, 300, 300, 90_000)
    totals = [game.progress and game.progress.total for game in reversed(games)]
    assert totals == [None, 3, None, None, None]
    searches = services.ways.list_by_client(old_client)
    assert [search.state for search in reversed(searches)] == list(METHODS)
    # A repeated request of the same client returns the same task as before.
    game = (BOARD, GOAL, from_letters("LRLL"))
    times = (0, 300, 300, 90_000)
    assert services.games.submit(old_client, *game, times_ms=times, seconds=58.0).id == make_id(12)
    search = services.ways.submit(old_client, BOARD, GOAL, seconds=60.0, memory_bytes=2**28 - 20)
    assert search.id == make_id(20)
    # The leases of the running tasks have expired.
    Reconciler(database, NoTickets(), settings).run_once()
    for queue in TASK_QUEUES:
        work = make_task_worker(settings, database, queue)
        while work.run("worker", lambda: False).has_more:
            pass
    states = [run.state for run in services.comparisons.view(make_id(90)).runs]
    assert states == [RunState.DONE] * 3 + [RunState.FAILED, RunState.CANCELLED]
    assert services.ways.view(make_id(20)).result["count"] == 1
    calls = []

    def send(request):
        calls.append(request)
        return 200

    database.clock = lambda: 1e11
    delivery = CallbackDelivery(database, settings, send)
    while delivery.run_once("caller"):
        pass
    assert len(calls) == 2
    assert len(services.webhooks.deliveries(old_client, 10)) == 2
    services.storage.dispose()


def test_result_keeps_its_checksum(url, database, old_client):
    document = compress({"lower": [2], "losses": []})
    checksum = RESULT.compute({"id": make_id(12), "result": document})
    with database.engine(writes=True).begin() as connection:
        table = Table("analysis", MetaData(), autoload_with=connection)
        change = table.update().where(table.c.id == make_id(12)).values(seal=checksum)
        connection.execute(change.values(result=document, solutions=b"s", onward=b"g"))
    rows_before = read_rows(database)
    upgrade(url)
    with database.reading() as session:
        result = session.tasks.result(make_id(12))
    assert (result.document["lower"], result.solutions, result.detail) == ([2], b"s", b"g")
    downgrade(url, "0022")
    assert read_rows(database) == rows_before


def test_damaged_run_is_repeated(url, database):
    upgrade(url, "0022")
    insert(database, "search_run", [make_run(1, "done") | {"statistics": "{bad"}])
    upgrade(url)
    with database.reading() as session:
        assert session.comparisons.run(make_id(1)).state is RunState.QUEUED
