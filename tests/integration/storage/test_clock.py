import time

import pytest

from tilework.core.storage import database as database_module
from tilework.core.storage.database import DatabaseClock


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
