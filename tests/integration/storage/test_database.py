import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import event, make_url, text
from sqlalchemy.exc import DBAPIError

from tilework.core.errors import DatabaseUnavailableError
from tilework.core.model.ids import new_id
from tilework.core.model.states import CounterName
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.jobs.submit import prepare
from tilework.core.storage import database as database_module
from tilework.core.storage.database import Database, DatabaseClock

PUZZLE = prepare(Board([4, 1, 2, 5, 0, 3], 3, 2), blank_last(Size(3, 2))).puzzle


def test_failed_transaction_is_rolled_back(database):
    def fail():
        with database.writing() as session:
            session.clients.add("someone", 1.0)
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        fail()
    with database.reading() as session:
        assert not session.clients.exists("someone")
    with pytest.raises(DBAPIError), database.writing() as session:
        session.connection.execute(text("SELECT nonsense"))


def test_failed_read_leaves_no_old_snapshot(database):
    def add(name):
        with database.writing() as session:
            session.clients.add(name, 1.0)

    def fail():
        with database.reading() as session:
            for _ in session.connection.execute(text("SELECT id FROM client")):
                raise RuntimeError("at the first row")

    add("first")
    add("second")
    with pytest.raises(RuntimeError) as error_info:  # keeps the rows that were not fetched
        fail()
    add("third")
    for _ in range(10):  # uses every connection
        with database.reading() as session:
            assert session.clients.exists("third"), error_info


def test_sqlite_is_configured_for_several_processes(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'new' / 'folder' / 'db.sqlite'}")
    for writes in (False, True):
        with database.engine(writes).connect() as connection:
            values = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
        assert values == ["wal", 1, 1]
    database.dispose()
    assert database._engines == {}
    assert Database("postgresql://h/d").engine(writes=False).driver == "psycopg"


def run_concurrently(work):
    """Run a function in six threads at the same time."""
    barrier = threading.Barrier(6)

    def run_after_barrier(_):
        barrier.wait()
        return work()

    with ThreadPoolExecutor(6) as pool:
        return list(pool.map(run_after_barrier, range(6)))


def test_writers_alternate_and_a_puzzle_has_one_solve(database):
    def get_or_create():
        with database.writing() as session:
            return session.solves.get_or_create(new_id(), PUZZLE, 4, 0.0).id

    [solve_id] = set(run_concurrently(get_or_create))

    def add_nodes():
        for _ in range(5):
            with database.writing() as session:
                solve = session.solves.lock(solve_id)
                session.solves.save(replace(solve, nodes=solve.nodes + 1), 1.0)

    run_concurrently(add_nodes)
    with database.reading() as session:
        assert session.solves.find(PUZZLE.key).nodes == 6 * 5


def add_counters(database, count=5_000):
    with database.writing() as session:
        for number in range(count):
            session.operation.add_to_counter(CounterName.RESTARTS, f"{number:090}", 1)


def test_unwritable_sqlite_file_is_reported(sqlite_url, tmp_path):
    database = Database(sqlite_url)

    def open_first(*_):
        event.remove(database.engine(writes=True), "do_connect", open_first)
        path = make_url(sqlite_url).database
        return sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)

    # The file is read-only at first; a new connection can write once the file is writable.
    event.listen(database.engine(writes=True), "do_connect", open_first)
    with pytest.raises(DatabaseUnavailableError, match="readonly"):
        add_counters(database, 1)
    add_counters(database, 1)
    with database.engine(writes=True).connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DatabaseUnavailableError, match="full"):
        add_counters(database)
    with database.reading() as session:
        assert len(session.operation.counters()) == 1
    database.dispose()
    (tmp_path / "file").write_text("in the way")
    database = Database(f"sqlite:///{tmp_path / 'file' / 'tilework.sqlite'}")
    with pytest.raises(DatabaseUnavailableError), database.reading():
        pass


def test_postgresql_errors_are_reported_as_unavailable(postgres_url):
    database = Database(postgres_url)
    for code in ("53100", "53200", "57P01", "58030", "25006", "40P01", "57014", "55P03"):
        statement = f"DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '{code}'; END $$"
        expectation = pytest.raises(DatabaseUnavailableError, match="no room")
        with expectation, database.writing() as session:
            session.connection.execute(text(statement))
    database.dispose()


class Host:
    """A host whose clocks are set by hand, and a database with its own clock."""

    def __init__(self):
        self.wall = 5_000.0
        self.monotonic = 70.0
        self.database = 1_000.0
        self.readings = 0
        self.unreachable = False

    def advance(self, seconds):
        self.wall += seconds
        self.monotonic += seconds
        self.database += seconds

    def read(self):
        if self.unreachable:
            raise ConnectionError("no database")
        self.readings += 1
        return self.database


@pytest.fixture
def host(monkeypatch):
    host = Host()
    monkeypatch.setattr(database_module.time, "time", lambda: host.wall)
    monkeypatch.setattr(database_module.time, "monotonic", lambda: host.monotonic)
    return host


def test_both_databases_return_the_time(database):
    start = time.time()
    now, skew, end = database.clock(), database.clock.skew_s, time.time()
    slack = 1 + end - start  # the machine may be slow
    assert start - slack < now < end + slack
    assert abs(skew) < slack


def test_database_time_is_reread_and_its_jumps_are_followed(host, caplog):
    now = DatabaseClock(host.read)
    assert now() == pytest.approx(1_000)
    assert "this host's clock is 4000.0 s ahead of the database's" in caplog.text
    host.wall += 60
    host.advance(9)
    assert (now(), host.readings) == (pytest.approx(1_009), 1)
    assert now.skew_s == pytest.approx(4_060)
    host.database += 7
    host.advance(2)
    assert (now(), host.readings) == (pytest.approx(1_018), 2)


def test_time_continues_while_the_database_is_unreachable(host):
    now = DatabaseClock(host.read)
    host.unreachable = True
    with pytest.raises(ConnectionError):
        now()
    host.unreachable = False
    now()
    host.unreachable = True
    host.advance(100)
    assert now() == pytest.approx(1_100)
    host.advance(1)
    host.unreachable = False
    host.advance(10)
    host.database += 3
    assert now() == pytest.approx(1_114)
