"""A SQLite file and its log get smaller again, and nobody waits for it."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

import pytest

from tilework.core.storage.database import Database
from tilework.core.storage.engines.sqlite_space import LOG_BYTES
from tilework.core.storage.schema import upgrade


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tilework.sqlite"
    upgrade(f"sqlite:///{path}")
    return path


def log_of(file: Path) -> Path:
    return Path(f"{file}-wal")


def write_much(file: Path, megabytes: int) -> None:
    """Write so that nothing of the log can be taken into the file meanwhile."""
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM client").fetchall()
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("CREATE TABLE IF NOT EXISTS ballast (data BLOB)")
    for _ in range(megabytes):
        writer.execute("INSERT INTO ballast VALUES (zeroblob(1000000))")
    writer.close()
    reader.close()


def test_a_log_that_grew_under_a_long_read_is_cut(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    with database.reading() as session:
        session.clients.exists("")  # the log stays while somebody has the file open
    write_much(file, 40)
    assert log_of(file).stat().st_size > 40e6
    database.tidy()
    assert log_of(file).stat().st_size < 1e6
    database.dispose()


def test_whoever_reads_is_not_waited_for(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    write_much(file, 1)
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM client").fetchall()
    write_much(file, 40)
    assert log_of(file).stat().st_size > LOG_BYTES
    began = time.monotonic()
    database.tidy()
    assert time.monotonic() - began < 2.0
    reader.close()
    database.dispose()


def test_space_of_deleted_rows_is_given_back_in_small_steps(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    write_much(file, 60)
    other = sqlite3.connect(file, isolation_level=None, timeout=1.0)
    other.execute("DROP TABLE ballast")
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = file.stat().st_size
    waits: list[float] = []
    done = threading.Event()

    def claim() -> None:
        with sqlite3.connect(file, isolation_level=None, timeout=1.0) as claiming:
            while not done.is_set():
                began = time.perf_counter()
                claiming.execute("BEGIN IMMEDIATE")
                claiming.execute("INSERT INTO client VALUES (hex(randomblob(9)), 0, 0)")
                claiming.execute("COMMIT")
                waits.append(time.perf_counter() - began)
                time.sleep(0.001)

    thread = threading.Thread(target=claim)
    thread.start()
    try:
        for _ in range(200):
            database.tidy()
            time.sleep(0.001)
    finally:
        done.set()
        thread.join()
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert file.stat().st_size < before / 4
    assert waits
    assert max(waits) < 0.5
    other.close()
    database.dispose()


def test_a_file_of_before_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path, isolation_level=None) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.execute("CREATE TABLE client (id)")
        old.execute("CREATE TABLE ballast (data BLOB)")
        old.execute("INSERT INTO ballast VALUES (zeroblob(20000000))")
        old.execute("DROP TABLE ballast")
    database = Database(f"sqlite:///{path}")
    database.tidy()
    with database.engine(writes=False).connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        assert connection.exec_driver_sql("PRAGMA freelist_count").scalar_one() > 1_000
    database.dispose()
