"""No process opens more connections than its role may have; who finds none free is told so."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

import psycopg
import pytest

from tilework.core.assembly import make_services
from tilework.core.errors import DatabaseUnavailableError, UnavailableError
from tilework.core.services.ports import NoTickets
from tilework.core.services.states import Tally
from tilework.core.settings import Settings
from tilework.core.storage import database as module
from tilework.core.storage.database import FEW_CONNECTIONS, Database
from tilework.core.storage.engines import postgresql, sqlite
from tilework.web.app import create_app

NAME = "counted"
THREADS = 40


@pytest.fixture
def named_url(postgres_url):
    """A URL whose connections can be told from others'."""
    return f"{postgres_url}&application_name={NAME}"


def opened(url):
    with psycopg.connect(url) as connection:
        count = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [NAME]
        )
        return count.fetchone()[0]


def busy(database, rounds=5):
    """Read and write from many threads at once; return what they raised."""
    errors = []

    def go(writes):
        try:
            for _ in range(rounds):
                with (database.writing if writes else database.reading)() as session:
                    session.clients._connection.exec_driver_sql("SELECT pg_sleep(0.01)")
        except Exception as error:
            errors.append(error)

    threads = [
        threading.Thread(target=go, args=(number % 2 == 0,), daemon=True)
        for number in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    return threads, errors


@pytest.mark.parametrize("most", [2, FEW_CONNECTIONS, 7])
def test_no_more_are_opened_than_may_be(named_url, postgres_url, most):
    database = Database(named_url, most)
    try:
        threads, errors = busy(database)
        seen = [opened(postgres_url)]
        while any(thread.is_alive() for thread in threads):
            seen.append(opened(postgres_url))
        seen.append(opened(postgres_url))
    finally:
        database.dispose()
    assert errors == []
    assert max(seen) == most


def test_a_web_process_opens_what_its_setting_says(named_url, postgres_url, tmp_path):
    settings = Settings(data_dir=tmp_path, database_url=named_url, web_connections=5)
    app = create_app(settings)
    storage = app.extensions["tilework"].storage
    try:
        threads, errors = busy(storage)
        seen = []
        while any(thread.is_alive() for thread in threads):
            assert app.test_client().get("/api/v1/statistics").status_code == 200
            seen.append(opened(postgres_url))
    finally:
        storage.dispose()
    assert errors == []
    assert max(seen) == 5


def test_who_finds_none_free_waits_a_little(database_url):
    database = Database(database_url, 2)
    with database.reading():
        other = threading.Thread(target=database.current)
        other.start()
        time.sleep(0.05)
        assert other.is_alive()
    other.join(module.WAIT_S)
    assert not other.is_alive()
    database.dispose()


@pytest.fixture
def full(database_url, tmp_path, monkeypatch):
    """A web application all of whose connections are in use."""
    monkeypatch.setattr(module, "WAIT_S", 0.05)
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 50)
    settings = Settings(data_dir=tmp_path, database_url=database_url)
    services = make_services(settings, NoTickets(), 4)
    app = create_app(settings, services)
    with ExitStack() as held:
        # SQLite lets one write at a time.
        writers = 2 if "postgresql" in database_url else 1
        for _ in range(4 - writers):
            held.enter_context(services.storage.reading())
        for _ in range(writers):
            held.enter_context(services.storage.writing())
        yield app
    services.storage.dispose()


def test_a_request_that_finds_none_free_is_told_so(full):
    for path in ("/api/v1/statistics", "/api/v1/jobs"):
        answer = full.test_client().get(path, headers={"Authorization": "Bearer tw_none"})
        assert (answer.status_code, answer.content_type) == (503, "application/problem+json")
        assert answer.json["type"] == "urn:tilework:problem:unavailable"
        assert "try again in a moment" in answer.json["detail"]
        assert int(answer.headers["Retry-After"]) == 2


def test_a_page_that_finds_none_free_is_a_page(full):
    answer = full.test_client().get("/statistics")
    assert (answer.status_code, answer.mimetype) == (503, "text/html")


def test_a_database_that_is_away_is_told_of_without_its_address(tmp_path):
    url = f"postgresql://tilework:secret@/tilework?host={tmp_path}"
    database = Database(url)
    words = r"the database cannot be used: .*failed"
    with pytest.raises(DatabaseUnavailableError, match=words), database.writing():
        pass
    app = create_app(Settings(data_dir=tmp_path, database_url=url))
    answer = app.test_client().get("/api/v1/statistics")
    assert (answer.status_code, answer.json["type"]) == (503, "urn:tilework:problem:unavailable")
    assert answer.json["detail"] == "The database does not answer; try again in a moment."


def test_a_connection_that_breaks_is_no_fault_of_the_program(named_url, postgres_url):
    database = Database(named_url)

    def cut_off():
        with database.reading() as session:
            with psycopg.connect(postgres_url, autocommit=True) as other:
                other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = %s",
                    [NAME],
                )
            session.clients.exists("nobody")

    try:
        with pytest.raises(UnavailableError, match="the database cannot be used"):
            cut_off()
        with database.reading() as session:
            assert not session.clients.exists("nobody")
    finally:
        database.dispose()


def test_who_is_lost_amid_a_transaction_holds_up_nobody_for_long(postgres_url, monkeypatch):
    monkeypatch.setattr(postgresql, "IDLE_MS", 500)
    lost, other = Database(postgres_url), Database(postgres_url)
    with ExitStack() as stack:
        silent = stack.enter_context(lost.writing())
        silent.tallies._connection.exec_driver_sql("LOCK TABLE tally")
        began = time.monotonic()
        with other.writing() as session:
            session.tallies.add(Tally.RESTARTS, "web", 1)
        assert 0.2 < time.monotonic() - began < 10.0
        with pytest.raises(DatabaseUnavailableError):
            stack.close()
    for database in (lost, other):
        with database.writing() as session:
            session.tallies._connection.exec_driver_sql("DELETE FROM tally")
        database.dispose()
