"""Errors of a database: which ones are its own, and what they say."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import delete, event, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from tests.support.waiting import TIMEOUT_S
from tilework.core.assembly import Services
from tilework.core.errors import DatabaseUnavailableError, UnavailableError
from tilework.core.logs import one_line
from tilework.core.model.states import CounterName
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage import database as database_module
from tilework.core.storage import engines
from tilework.core.storage.database import Database
from tilework.core.storage.models import api_key, client
from tilework.web.app import create_app

SECRET = "Kanarienvogel"

KEY = {"id": "1", "client_id": SECRET, "name": SECRET, "hash": SECRET, "created_at": 1.0}
FAILING = [
    insert(client).values(id=SECRET, created_at=1.0),  # exists
    insert(client).values(id=f"{SECRET}-2"),  # lacks a value
    insert(client).values([{"id": f"{SECRET}-{n}", "created_at": None} for n in range(3)]),
    insert(api_key).values(KEY | {"id": "2", "client_id": f"{SECRET}-2"}),  # refers to nothing
    update(client).where(client.c.id == SECRET).values(created_at=None),
    delete(client).where(client.c.id == SECRET),  # a key refers to it
    select(text("nonsense")).where(client.c.id == SECRET),
    text("SELECT nonsense FROM client WHERE id = :id").bindparams(id=SECRET),
]


def test_no_error_of_a_statement_contains_its_values(database: Database) -> None:
    with database.writing() as session:
        session.connection.execute(insert(client).values(id=SECRET, created_at=1.0))
        session.connection.execute(insert(api_key).values(KEY))
    for statement in FAILING:
        with pytest.raises(DBAPIError) as error_info, database.writing() as session:
            session.connection.execute(statement)
        error = error_info.value
        assert SECRET not in f"{error} {error!r} {error.orig} {one_line(error)}", statement
        assert "[SQL: " in str(error)
    rows = [{"id": f"{SECRET}-{number}", "created_at": None} for number in range(3)]
    with pytest.raises(DBAPIError) as error_info, database.writing() as session:
        session.connection.execute(insert(client), rows)
    assert SECRET not in str(one_line(error_info.value))


@contextmanager
def locked(url: str, table: str) -> Iterator[None]:
    """Lock a table against all other connections."""
    with psycopg.connect(url) as connection:
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield


def test_requests_are_answered_with_503_while_statements_are_cancelled(
    postgres_url: str, tmp_path: Path
) -> None:
    url = f"{postgres_url}&options=-c%20statement_timeout%3D100"
    settings = Settings.model_validate({"data_dir": tmp_path, "database_url": url})
    services = Services(settings, NoTickets())
    browser = create_app(settings, services).test_client()
    board = {"board": "1 2 3 4 5 6 0 7 8"}
    job = browser.post("/api/v1/jobs", json=board).json["id"]
    for table, path, body in (
        ("job", "/api/v1/jobs", board),
        ("client", "/api/v1/jobs", board),
        ("job", f"/api/v1/jobs/{job}", None),
        ("job", "/api/v1/jobs", None),
        ("solve", "/api/v1/statistics", None),
        ("job", f"/jobs/{job}", None),
    ):
        with locked(postgres_url, table):
            other = browser.application.test_client() if table == "client" else browser
            answer = other.post(path, json=body) if body else browser.get(path)
        assert answer.status_code == 503, (table, path, answer.text)
        assert int(answer.headers["Retry-After"]) > 0
    with locked(postgres_url, "alembic_version"), pytest.raises(DatabaseUnavailableError):
        services.storage.check_schema()
    assert browser.get(f"/api/v1/jobs/{job}").status_code == 200
    services.storage.dispose()


NAME = "connection-test"
FROM_ACTIVITY = "FROM pg_stat_activity WHERE application_name = %s AND datname = current_database()"


@pytest.fixture
def named_url(postgres_url):
    """A URL whose connections have a name in PostgreSQL."""
    return f"{postgres_url}&application_name={NAME}"


def count_open_connections(url):
    with psycopg.connect(url) as connection:
        return connection.execute(f"SELECT count(*) {FROM_ACTIVITY}", [NAME]).fetchone()[0]


def count_connections_under_load(database, url, read_once=lambda: None):
    """Read and write from many threads at the same time; return the number of connections."""
    errors = []

    def use_pool(writes):
        try:
            for _ in range(3):
                with (database.writing if writes else database.reading)() as session:
                    session.connection.exec_driver_sql("SELECT pg_sleep(0.01)")
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=use_pool, args=(number % 2 == 0,)) for number in range(20)]
    for thread in threads:
        thread.start()
    counts = []
    while any(thread.is_alive() for thread in threads):
        read_once()
        counts.append(count_open_connections(url))
    counts.append(count_open_connections(url))  # the pool keeps connections open
    assert errors == []
    return max(counts)


def test_number_of_connections_is_limited(named_url, postgres_url, tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "WAIT_S", 600.0)
    for limit in (2, 7):
        database = Database(named_url, limit)
        assert count_connections_under_load(database, postgres_url) == limit
        database.dispose()
        while count_open_connections(postgres_url):
            pass
    monkeypatch.setattr("tilework.web.app.WEB_CONNECTIONS", 5)
    settings = Settings(data_dir=tmp_path, database_url=named_url)
    app = create_app(settings)

    def read_once():
        assert app.test_client().get("/api/v1/statistics").status_code == 200

    storage = app.extensions["tilework"].storage
    assert count_connections_under_load(storage, postgres_url, read_once) == 5
    storage.dispose()


def test_request_without_a_connection_gets_an_error(database_url, tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "WAIT_S", 0.05)
    monkeypatch.setattr(engines, "BUSY_TIMEOUT_MS", 50)
    settings = Settings(data_dir=tmp_path, database_url=database_url)
    services = Services(settings, NoTickets(), 4)
    client = create_app(settings, services).test_client()
    # SQLite allows one writer at a time.
    writers = 2 if "postgresql" in database_url else 1
    with ExitStack() as connections:
        for _ in range(4 - writers):
            connections.enter_context(services.storage.reading())
        for _ in range(writers):
            connections.enter_context(services.storage.writing())
        for path in ("/api/v1/statistics", "/api/v1/jobs"):
            response = client.get(path, headers={"Authorization": "Bearer tw_none"})
            assert response.status_code == 503
            assert response.content_type == "application/problem+json"
            assert response.json["type"] == "urn:tilework:problem:unavailable"
            assert "try again in a moment" in response.json["detail"]
            assert int(response.headers["Retry-After"]) == 2
        page = client.get("/statistics")
        assert (page.status_code, page.mimetype) == (503, "text/html")
    services.storage.dispose()


def test_write_waits_for_another_process(sqlite_url, monkeypatch):
    database, has_failed = Database(sqlite_url), threading.Event()

    def write():
        with database.writing() as session:
            session.clients.add("waiting", 0.0)

    path = sqlite_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        event.listen(database.engine(True), "handle_error", lambda _: has_failed.set())
        thread = threading.Thread(target=write)
        thread.start()
        assert has_failed.wait(TIMEOUT_S)
        other.execute("COMMIT")
        thread.join()
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(engines, "BUSY_TIMEOUT_MS", 10)
        with pytest.raises(DatabaseUnavailableError, match="locked"):
            write()
    with database.reading() as session:
        assert session.clients.exists("waiting")
    database.dispose()


def test_broken_connection_is_not_an_internal_error(named_url, postgres_url):
    database = Database(named_url)

    def use_terminated_connection():
        with database.reading() as session:
            with psycopg.connect(postgres_url, autocommit=True) as other:
                other.execute(f"SELECT pg_terminate_backend(pid) {FROM_ACTIVITY}", [NAME])
            session.clients.exists("nobody")

    with pytest.raises(UnavailableError, match="the database cannot be used"):
        use_terminated_connection()
    with database.reading() as session:
        assert not session.clients.exists("nobody")
    database.dispose()


def test_connection_lost_in_a_transaction_does_not_block_others(postgres_url, monkeypatch):
    monkeypatch.setattr(engines, "IDLE_MS", 300)
    lost_database, other_database = Database(postgres_url), Database(postgres_url)
    with ExitStack() as stack:
        lost_session = stack.enter_context(lost_database.writing())
        lost_session.connection.exec_driver_sql("LOCK TABLE counter")
        with other_database.writing() as session:
            session.operation.add_to_counter(CounterName.RESTARTS, "web", 1)
        with pytest.raises(DatabaseUnavailableError):
            stack.close()
    for database in (lost_database, other_database):
        database.dispose()


def test_lost_hosts_are_noticed_by_the_driver(postgres_url):
    database = Database(postgres_url)
    for writes in (False, True):
        with database.engine(writes).connect() as connection:
            parameters = connection.connection.driver_connection.info.get_parameters()
            assert parameters["tcp_user_timeout"] == "10000"
            assert parameters["keepalives_idle"] == "5"
            backend = text("SELECT pg_backend_pid()")
            pid = connection.execute(backend).scalar_one()
        with psycopg.connect(postgres_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 60000)", [pid])
        # The pool replaces the lost connection.
        with database.engine(writes).connect() as connection:
            assert connection.execute(backend).scalar_one() != pid
    database.dispose()
