"""Versions side by side: a schema that changes under those who work, work of a later version."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.support.services.house import House, furnish
from tests.support.services.staging import BOARD, LENGTH
from tilework.core.errors import UnavailableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.storage.database import Database
from tilework.core.storage.revisions import head_revision
from tilework.core.storage.schema import downgrade, upgrade

GOAL = blank_last(Size(3, 2))


@pytest.fixture
def url(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> str:
    """A database of this version."""
    if kind == "sqlite":
        found = f"sqlite:///{tmp_path / 'tilework.sqlite'}"
    else:
        found = request.getfixturevalue("empty_postgres_url")
    upgrade(found)
    return found


@pytest.fixture
def house(database: Database, tmp_path: Path) -> House:
    return furnish(database, tmp_path)


def set_revision(url: str, revision: str) -> None:
    database = Database(url)
    with database.engine(writes=True).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
    database.dispose()


def await_more(asked: list[str]) -> None:
    enough, end = len(asked) + 5, time.monotonic() + 30
    while len(asked) < enough:
        assert time.monotonic() < end
        time.sleep(0.01)


def execute(database: Database, statement: str) -> int:
    with database.engine(writes=True).begin() as connection:
        return connection.execute(text(statement)).rowcount


def boards(first: int, count: int) -> list[Board]:
    return [scramble(GOAL.size, GOAL, seed) for seed in range(first, first + count)]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_later_schema_and_back_under_those_who_work(url: str, tmp_path: Path) -> None:
    def later() -> None:
        execute(other, "ALTER TABLE job ADD COLUMN later VARCHAR(9) DEFAULT 'x' NOT NULL")
        execute(other, "CREATE INDEX ix_job_later ON job (later)")
        set_revision(url, "9999")

    def back() -> None:
        set_revision(url, head_revision() or "")
        execute(other, "DROP INDEX ix_job_later")
        execute(other, "ALTER TABLE job DROP COLUMN later")

    other = Database(url)
    database = Database(url)
    working = furnish(database, tmp_path)
    stop = threading.Event()
    asked, failures = [], []

    def work() -> None:
        for board in boards(0, 10_000):
            if stop.is_set():
                return
            try:
                asked.append(working.ask(board).id)
                working.work()
                # As a worker of the version before tells that it is there.
                execute(database, "DELETE FROM worker WHERE name = 'old'")
                execute(database, "INSERT INTO worker (name, seen_at, skew_s) VALUES ('old', 1, 0)")
            except Exception as error:
                failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for step in (later, back, later):
            await_more(asked)
            step()
        await_more(asked)
    finally:
        stop.set()
        thread.join()
    assert failures == []
    working.work()
    assert {working.read.view(id_).state for id_ in asked} == {"optimal"}
    with database.reading() as session:
        assert session.workers.versions(0.0) == {"": 1}
    database.dispose()
    other.dispose()


def test_work_of_a_later_version_waits_for_its_workers(house: House) -> None:
    later = house.ask(Board([4, 1, 2, 5, 0, 3], 3, 2))
    ours = house.ask(BOARD)
    for column, value in (("kind", "dream"), ("algorithm", "oracle"), ("target", "pretty")):
        changed = f"UPDATE slice SET {column} = '{value}', turn = 0 WHERE solve_id = "
        solve_id = house.solve_of(later).id
        with house.database.engine(writes=False).connect() as connection:
            find = text(f"SELECT {column} FROM slice WHERE solve_id = '{solve_id}'")
            before = connection.execute(find).scalar_one()
        assert execute(house.database, f"{changed}'{solve_id}'") == 1
        house.work()
        assert house.read.view(ours.id).upper_bound == LENGTH
        assert not house.read.view(later.id).finished
        found = f"UPDATE slice SET {column} = '{before}' WHERE solve_id = '{solve_id}'"
        assert execute(house.database, f"{found} AND state = 'ready' AND attempts = 0") == 1
        ours = house.ask(BOARD)
    house.work()
    assert house.read.view(later.id).state == "optimal"


def test_who_began_with_its_own_schema_goes_on_with_a_later_one(
    house: House, database_url: str
) -> None:
    assert house.health.check().ready
    head = house.database.schema()
    try:
        set_revision(database_url, "9999")
        assert house.health.check().ready
        late = furnish(Database(database_url), house.settings.data_dir)
        assert not late.health.check().ready
        late.database.dispose()
        for change in (lambda: upgrade(database_url), lambda: downgrade(database_url, "0012")):
            with pytest.raises(UnavailableError, match="of a later version of Tilework"):
                change()
    finally:
        set_revision(database_url, head_revision() or "")
    assert house.database.schema() is head


def test_a_worker_does_not_start_on_a_later_schema(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tilework.sqlite'}"
    upgrade(url)
    set_revision(url, "9999")
    done = subprocess.run(
        [sys.executable, "-m", "tilework.worker", "--queues", "lab"],
        env=os.environ
        | {
            "TILEWORK_DATA_DIR": str(tmp_path),
            "TILEWORK_BROKER_URL": "redis://127.0.0.1:1/0",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "of a later version of Tilework than this one" in done.stderr
    assert "Traceback" not in done.stderr
