import sqlite3
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from tilework.core.storage.database import Database
from tilework.core.storage.engines.sqlite import LOG_BYTES


@pytest.fixture
def file(sqlite_url):
    return Path(sqlite_url.removeprefix("sqlite:///"))


@pytest.fixture
def database(sqlite_url):
    created = Database(sqlite_url)
    with created.reading() as session:
        session.clients.exists("")  # the log remains while a process has the file open
    yield created
    created.dispose()


def log_bytes(file):
    return Path(f"{file}-wal").stat().st_size


@contextmanager
def reader(file):
    """Read for long: meanwhile nothing of the log can be moved into the file."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM client").fetchall()
        yield


def write_much(file):
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("CREATE TABLE IF NOT EXISTS ballast (data BLOB)")
        for _ in range(20):
            writer.execute("INSERT INTO ballast VALUES (zeroblob(1000000))")


def test_log_that_grew_during_a_long_read_is_truncated_after_it(file, database):
    with reader(file):
        write_much(file)
        database.reclaim_space()  # readers are not waited for
        assert log_bytes(file) > LOG_BYTES
    database.reclaim_space()
    assert log_bytes(file) < 1e6


def test_space_of_deleted_rows_is_released_in_small_steps(file, database):
    write_much(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("DROP TABLE ballast")
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sizes = [file.stat().st_size]
        other.execute("BEGIN IMMEDIATE")
        database.reclaim_space()  # writers are not waited for
        other.execute("COMMIT")
        while len(sizes) < 3 or sizes[-1] < sizes[-2]:
            database.reclaim_space()
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sizes.append(file.stat().st_size)
    assert sizes[-1] < sizes[0] / 2
    assert max(before - after for before, after in pairwise(sizes)) <= 5e6


def test_file_of_an_earlier_version_is_left_unchanged(tmp_path):
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.execute("CREATE TABLE client (id)")
        old.execute("CREATE TABLE ballast (data BLOB)")
        old.execute("INSERT INTO ballast VALUES (zeroblob(20000000))")
        old.execute("DROP TABLE ballast")
    database = Database(f"sqlite:///{path}")
    database.reclaim_space()
    with database.engine(writes=False).connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        assert connection.exec_driver_sql("PRAGMA freelist_count").scalar_one() > 1_000
    database.dispose()
