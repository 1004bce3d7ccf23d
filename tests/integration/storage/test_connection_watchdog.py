import socket
import threading
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tests.support.proxies import Network
from tilework.core.errors import DatabaseUnavailableError
from tilework.core.storage.database import Database
from tilework.core.storage.engines import connection_watchdog
from tilework.core.storage.engines.connection_watchdog import ConnectionWatchdog, parse_addresses


@pytest.fixture
def proxy(postgres_url):
    network = Network()
    yield network.proxy("database", Path(postgres_url.partition("host=")[2]) / ".s.PGSQL.5432")
    network.close()


@pytest.fixture
def proxied_url(proxy, postgres_url):
    """The URL of the database behind the proxy."""
    name = postgres_url.partition("@/")[2].partition("?")[0]
    with ExitStack() as stack:
        stack.callback(proxy.resume)
        yield f"postgresql://postgres@127.0.0.1:{proxy.port}/{name}"


@pytest.fixture
def database(proxied_url):
    database = Database(proxied_url, 4, waits=False)
    yield database
    database.dispose()


def run_query(database, statement="SELECT 1", *, writes=False):
    with (database.writing if writes else database.reading)() as session:
        session.clients._connection.exec_driver_sql(statement)


def query_until_answered(database, *, writes=False):
    while True:
        try:
            run_query(database, writes=writes)
        except DatabaseUnavailableError:
            continue
        return


def test_hanging_server_does_not_block(proxy, proxied_url, database, postgres_url, monkeypatch):
    server_hangs, query_returned = threading.Event(), threading.Event()
    monkeypatch.setattr(connection_watchdog, "_answers", lambda _: not server_hangs.is_set())
    waiting_database = Database(proxied_url, 4, waits=True)
    for target in (database, waiting_database):
        query_until_answered(target)
        query_until_answered(target, writes=True)
    run_query(database, "SELECT pg_sleep(0.5)")  # a busy server is not abandoned
    errors: list[str] = []

    def query_until_lost():
        with pytest.raises(DatabaseUnavailableError) as error:
            run_query(database, "SELECT pg_sleep(600)")
        errors.append(str(error.value))

    def wait():
        run_query(waiting_database)
        query_returned.set()

    threads = [threading.Thread(target=query_until_lost), threading.Thread(target=wait)]
    threads[0].start()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        statement = (
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE query = 'SELECT pg_sleep(600)' AND datname = current_database()"
        )
        while connection.execute(statement).fetchone() == (0,):
            pass
    proxy.stall()
    server_hangs.set()
    threads[1].start()
    threads[0].join()
    assert "the server does not answer" in errors[0]
    for writes in (False, True):
        with pytest.raises(DatabaseUnavailableError, match="the server does not answer"):
            run_query(database, writes=writes)
    assert not query_returned.is_set()
    proxy.resume()
    server_hangs.clear()
    threads[1].join()
    assert query_returned.is_set()
    query_until_answered(database)
    query_until_answered(database, writes=True)
    waiting_database.dispose()


def test_lost_connections_are_replaced(proxy, database):
    for writes in (False, True):
        query_until_answered(database, writes=writes)
    proxy.half_open(far=True)
    for writes in (False, True):
        query_until_answered(database, writes=writes)


def test_unreachable_and_silent_servers_are_recognized(postgres_url, tmp_path, monkeypatch):
    unreachable_database = Database(f"postgresql://postgres@/postgres?host={tmp_path}", waits=False)
    with pytest.raises(DatabaseUnavailableError, match="connection to server"):
        run_query(unreachable_database)
    monkeypatch.setattr(connection_watchdog, "PROBE_TIMEOUT_S", 600.0)
    folder = postgres_url.partition("host=")[2]
    # A server that is down refuses connections; it does not hang.
    for address in (f"{folder}/.s.PGSQL.5432", f"{tmp_path}/.s.PGSQL.5432"):
        assert not ConnectionWatchdog([address]).probe_now()
    monkeypatch.setattr(connection_watchdog, "PROBE_TIMEOUT_S", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        watchdog = ConnectionWatchdog([listener.getsockname()])
        assert watchdog.probe_now()
        assert watchdog.still_hangs()


def test_server_addresses_are_parsed(monkeypatch):
    for name in ("PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE"):
        monkeypatch.delenv(name, raising=False)
    for parameters, addresses in (
        ({"host": "/run/pg", "port": 6000}, ["/run/pg/.s.PGSQL.6000"]),
        ({"host": "name", "hostaddr": "10.0.0.1"}, [("10.0.0.1", 5432)]),
        ({"host": "a,b", "port": "1,2"}, [("a", 1), ("b", 2)]),
        ({"host": "a,b"}, [("a", 5432), ("b", 5432)]),
        # Only libpq knows where these are.
        ({"dbname": "tilework"}, []),
        ({"host": "a", "service": "tilework"}, []),
    ):
        assert parse_addresses(parameters) == addresses
    monkeypatch.setenv("PGHOST", "db.example")
    monkeypatch.setenv("PGPORT", "6000")
    assert parse_addresses({}) == [("db.example", 6000)]
