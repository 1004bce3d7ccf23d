"""Who does not wait for a PostgreSQL that hangs is told within a second that it is away."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chaos.system.proxies import Network, Proxy
from tests.support.postgres_process import PostgresProcess, postgres_process
from tilework.core.errors import DatabaseUnavailableError
from tilework.core.storage.database import Database
from tilework.core.storage.engines.pulse import addresses_of

# A machine that does much else may take longer than the second that is promised.
LONGEST_S = 1.6


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresProcess]:
    with postgres_process() as process:
        yield process


@pytest.fixture
def proxy(postgres: PostgresProcess) -> Iterator[Proxy]:
    network = Network()
    yield network.proxy("database", Path(postgres.url.partition("host=")[2]) / ".s.PGSQL.5432")
    network.close()


@contextmanager
def opened(url: str, *, waits: bool = False) -> Iterator[Database]:
    database = Database(url, 4, waits=waits)
    try:
        yield database
    finally:
        database.dispose()


def through(proxy: Proxy) -> str:
    return f"postgresql://postgres@127.0.0.1:{proxy.port}/postgres"


def ask(database: Database, statement: str = "SELECT 1", *, writes: bool = False) -> None:
    with (database.writing if writes else database.reading)() as session:
        session.clients._connection.exec_driver_sql(statement)


def seconds_until_refused(database: Database, *, writes: bool = False) -> float:
    began = time.monotonic()
    with pytest.raises(DatabaseUnavailableError, match="the server does not answer"):
        ask(database, writes=writes)
    return time.monotonic() - began


def await_answer(database: Database) -> None:
    deadline = time.monotonic() + 5.0
    while True:
        try:
            ask(database)
        except DatabaseUnavailableError:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        else:
            return


@contextmanager
def hanging(process: PostgresProcess) -> Iterator[None]:
    process.suspend()
    try:
        yield
    finally:
        process.resume()


@pytest.mark.parametrize("connected", [False, True])
def test_a_stopped_server_is_noticed_once_and_refused_at_once_then(
    postgres: PostgresProcess, connected: bool
) -> None:
    with opened(postgres.url) as database:
        if connected:
            ask(database)
            ask(database, writes=True)
        with hanging(postgres):
            assert seconds_until_refused(database) < LONGEST_S
            assert seconds_until_refused(database) < 0.1
            assert seconds_until_refused(database, writes=True) < 0.1
            end = time.monotonic() + 3.0
            refused = []
            while time.monotonic() < end:
                refused.append(seconds_until_refused(database))
                time.sleep(0.05)
            # Few of those who come later ask the server again, and none for long.
            assert max(refused) < LONGEST_S
            assert sum(seconds > 0.2 for seconds in refused) <= 3
        await_answer(database)
        ask(database, writes=True)


def test_who_was_being_served_is_told_too(postgres: PostgresProcess) -> None:
    told: list[float] = []
    with opened(postgres.url) as database:

        def wait() -> None:
            with pytest.raises(DatabaseUnavailableError):
                ask(database, "SELECT pg_sleep(60)")
            told.append(time.monotonic())

        threads = [threading.Thread(target=wait) for _ in range(2)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        with hanging(postgres):
            began = time.monotonic()
            for thread in threads:
                thread.join(10.0)
            assert len(told) == 2
            assert max(told) - began < LONGEST_S
        await_answer(database)


def test_a_server_that_is_busy_is_waited_for(postgres: PostgresProcess) -> None:
    with opened(postgres.url) as database:
        began = time.monotonic()
        ask(database, "SELECT pg_sleep(2)")
        assert time.monotonic() - began >= 2.0


def test_who_waits_is_served_later(postgres: PostgresProcess) -> None:
    with opened(postgres.url, waits=True) as database:
        ask(database)
        with hanging(postgres):
            thread = threading.Thread(target=ask, args=(database,))
            thread.start()
            time.sleep(1.5)
            assert thread.is_alive()
        thread.join(5.0)
        assert not thread.is_alive()


def test_a_network_that_delivers_nothing_is_noticed(proxy: Proxy) -> None:
    with opened(through(proxy)) as database:
        ask(database)
        proxy.stall()
        assert seconds_until_refused(database) < LONGEST_S
        assert seconds_until_refused(database) < 0.1
        proxy.flow()
        await_answer(database)


def test_connections_that_were_lost_are_replaced_within_a_second(proxy: Proxy) -> None:
    with opened(through(proxy)) as database:
        ask(database)
        ask(database, writes=True)
        proxy.half_open(far=True)
        for writes in (False, True):
            began = time.monotonic()
            ask(database, writes=writes)
            assert time.monotonic() - began < LONGEST_S


def test_a_server_that_is_down_is_told_as_what_it_is(postgres: PostgresProcess) -> None:
    with opened(postgres.url) as database:
        postgres.stop()
        try:
            with pytest.raises(DatabaseUnavailableError, match="connection to server"):
                ask(database)
        finally:
            postgres.start()
        ask(database)


@pytest.mark.parametrize(
    ("parameters", "addresses"),
    [
        ({"host": "db.example"}, [("db.example", 5432)]),
        ({"host": "db.example", "port": 6000}, [("db.example", 6000)]),
        ({"host": "/run/pg"}, ["/run/pg/.s.PGSQL.5432"]),
        ({"host": "name", "hostaddr": "10.0.0.1"}, [("10.0.0.1", 5432)]),
        ({"host": "a,b", "port": "1,2"}, [("a", 1), ("b", 2)]),
        ({"host": "a,b"}, [("a", 5432), ("b", 5432)]),
        # Only libpq knows where these are.
        ({"dbname": "tilework"}, []),
        ({"host": "a", "service": "tilework"}, []),
    ],
)
def test_addresses(
    monkeypatch: pytest.MonkeyPatch, parameters: dict[str, object], addresses: list[object]
) -> None:
    for name in ("PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE"):
        monkeypatch.delenv(name, raising=False)
    assert addresses_of(parameters) == addresses


def test_the_environment_s_address_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example")
    monkeypatch.setenv("PGPORT", "6000")
    assert addresses_of({}) == [("db.example", 6000)]
