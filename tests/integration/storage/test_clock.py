import time

import pytest

from tilework.core.storage import database as clock_module
from tilework.core.storage.database import DatabaseClock


class Host:
    """A host with manual clocks, and a database with a clock of its own."""

    def __init__(self):
        self.wall = 5_000.0
        self.monotonic = 70.0
        self.database = 1_000.0
        self.readings = 0
        self.away = False

    def pass_(self, seconds):
        self.wall += seconds
        self.monotonic += seconds
        self.database += seconds

    def read(self):
        if self.away:
            raise ConnectionError("no database")
        self.readings += 1
        return self.database


@pytest.fixture
def host(monkeypatch):
    fake = Host()
    monkeypatch.setattr(clock_module.time, "time", lambda: fake.wall)
    monkeypatch.setattr(clock_module.time, "monotonic", lambda: fake.monotonic)
    return fake


def test_both_databases_return_the_time(database):
    before = time.time()
    found, skew, after = database.clock(), database.clock.skew_s, time.time()
    slack = 1 + after - before  # a machine may be slow to answer
    assert before - slack < found < after + slack
    assert abs(skew) < slack


def test_database_time_is_read_now_and_then_and_its_jumps_are_followed(host, caplog):
    now = DatabaseClock(host.read)
    assert now() == pytest.approx(1_000)
    assert "this host's clock is 4000.0 s ahead of the database's" in caplog.text
    host.wall += 60
    host.pass_(9)
    assert (now(), host.readings) == (pytest.approx(1_009), 1)
    assert now.skew_s == pytest.approx(4_060)
    host.database += 7
    host.pass_(2)
    assert (now(), host.readings) == (pytest.approx(1_018), 2)


def test_time_continues_while_the_database_is_unreachable(host):
    now = DatabaseClock(host.read)
    host.away = True
    with pytest.raises(ConnectionError):
        now()
    host.away = False
    now()
    host.away = True
    host.pass_(100)
    assert now() == pytest.approx(1_100)
    host.pass_(1)
    host.away = False
    host.pass_(10)
    host.database += 3
    assert now() == pytest.approx(1_114)
