import sqlite3
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from tilework.core.storage.database import Database
from tilework.core.storage.engines import LOG_BYTES


@pytest.fixture
def file(sqlite_url):
    return Path(sqlite_url.removeprefix("sqlite:///"))


@pytest.fixture
def database(sqlite_url):
    database = Database(sqlite_url)
    with database.reading() as session:
        session.clients.exists("")  # the log remains while a process has the file open
    yield database
    database.dispose()


def read_log_size(file):
    return Path(f"{file}-wal").stat().st_size


@contextmanager
def open_reader(file):
    """Keep a read transaction open, which prevents a checkpoint of the log."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM client").fetchall()
        yield


def write_ballast(file):
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("CREATE TABLE IF NOT EXISTS ballast (data BLOB)")
        for _ in range(20):
            writer.execute("INSERT INTO ballast VALUES (zeroblob(1000000))")


def test_log_that_grew_during_a_long_read_is_truncated_afterwards(file, database):
    with open_reader(file):
        write_ballast(file)
        database.reclaim_space()  # does not wait for readers
        assert read_log_size(file) > LOG_BYTES
    database.reclaim_space()
    assert read_log_size(file) < 1e6


def test_space_of_deleted_rows_is_released_in_small_steps(file, database):
    write_ballast(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("DROP TABLE ballast")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sizes = [file.stat().st_size]
        connection.execute("BEGIN IMMEDIATE")
        database.reclaim_space()  # does not wait for writers
        connection.execute("COMMIT")
        while len(sizes) < 3 or sizes[-1] < sizes[-2]:
            database.reclaim_space()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sizes.append(file.stat().st_size)
    assert sizes[-1] < sizes[0] / 2
    assert max(before - after for before, after in pairwise(sizes)) <= 5e6
