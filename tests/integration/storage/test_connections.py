import sqlite3
import threading
from contextlib import ExitStack, closing

import psycopg
import pytest
from sqlalchemy import event, text

from tests.support.waiting import TIMEOUT_S
from tilework.core.assembly import Services
from tilework.core.errors import DatabaseUnavailableError, UnavailableError
from tilework.core.model.states import CounterName
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage import database as database_module
from tilework.core.storage import engines
from tilework.core.storage.database import Database
from tilework.web.app import create_app

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
