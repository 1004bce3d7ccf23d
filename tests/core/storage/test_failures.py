from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tilework.core.errors import DatabaseUnavailableError
from tilework.core.services.states import Tally
from tilework.core.storage.database import Database


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


def add_many(database: Database) -> None:
    with database.writing() as session:
        for number in range(5_000):
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
