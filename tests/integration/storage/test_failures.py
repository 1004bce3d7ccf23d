from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, make_url, text
from sqlalchemy.exc import DBAPIError

from tilework.core.errors import DatabaseUnavailableError
from tilework.core.services.states import Tally
from tilework.core.storage.database import Database
from tilework.core.storage.schema import upgrade


def test_a_sqlite_file_that_cannot_grow(database: Database) -> None:
    if database.dialect != "sqlite":
        pytest.skip("a page limit is SQLite's")
    with database.writing() as session:
        session.tallies.add(Tally.RESTARTS, "web", 1)
    with database.engine(writes=True).connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DatabaseUnavailableError, match="full"):
        add_many(database)
    with database.reading() as session:
        assert session.tallies.read() == {(Tally.RESTARTS, "web"): 1}


def test_a_sqlite_file_that_could_only_be_read_when_it_was_opened(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tilework.sqlite'}"
    upgrade(url)
    database = Database(url)

    def open_first(*_: Any) -> sqlite3.Connection:
        event.remove(database.engine(writes=True), "do_connect", open_first)
        path = make_url(url).database
        return sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)

    event.listen(database.engine(writes=True), "do_connect", open_first)
    with pytest.raises(DatabaseUnavailableError, match="readonly"):
        add_many(database, 1)
    add_many(database, 1)
    with database.reading() as session:
        assert len(session.tallies.read()) == 1
    database.dispose()


def add_many(database: Database, count: int = 5_000) -> None:
    with database.writing() as session:
        for number in range(count):
            session.tallies.add(Tally.RESTARTS, f"{number:090}", 1)


@pytest.mark.parametrize("code", ["53100", "53200", "57P01", "58030", "25006"])
def test_a_postgresql_server_that_refuses(database: Database, code: str) -> None:
    if database.dialect != "postgresql":
        pytest.skip("the codes are PostgreSQL's")
    words = f"DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '{code}'; END $$"
    with pytest.raises(DatabaseUnavailableError, match="no room"), database.writing() as session:
        session.tallies._connection.execute(text(words))


def test_a_mistake_is_no_unavailability(database: Database) -> None:
    with pytest.raises(DBAPIError), database.writing() as session:
        session.tallies._connection.execute(text("SELECT nonsense"))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    database = Database(f"sqlite:///{tmp_path / 'file' / 'tilework.sqlite'}")
    with pytest.raises(DatabaseUnavailableError), database.reading():
        pass
    database.dispose()
