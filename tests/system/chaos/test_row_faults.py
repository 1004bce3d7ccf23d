"""Faults of rows are done to the rows that they name, and are put right if they can be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from chaos.checking.checker import LOST
from chaos.faults.rows import damage_row
from chaos.faults.versions import LaterVersion
from chaos.system.database import Records
from tests.support.services.house import House, furnish
from tests.support.services.staging import BOARD
from tilework.core.storage.database import Database
from tilework.core.storage.revisions import head_revision

ROWS = {
    "solve": "SELECT id, lower_bound, upper_bound, moves FROM solve",
    "job": "SELECT id, lower_bound, upper_bound FROM job",
}


@pytest.fixture
def house(database: Database, tmp_path: Path) -> House:
    return furnish(database, tmp_path)


@pytest.fixture
def records(database_url: str) -> Iterator[Records]:
    found = Records(database_url)
    yield found
    found.dispose()


def test_a_value_of_a_row_that_is_named_is_another_then(house: House, records: Records) -> None:
    job = house.ask(BOARD)
    house.work()
    altered = set()
    for seed in range(30):
        before = {table: records.rows(rows)[0] for table, rows in ROWS.items()}
        named: list[str] = []
        damage_row(records, random.Random(seed), named.append)
        after = {table: records.rows(rows)[0] for table, rows in ROWS.items()}
        [table] = [table for table in ROWS if before[table] != after[table]]
        assert named == [before[table].id]
        altered |= {
            (table, name)
            for name in before[table]._fields
            if getattr(before[table], name) != getattr(after[table], name)
        }
    assert len(altered) == 5
    house.reconcile.run_once()
    message = house.read.view(job.id).message
    assert message is not None
    assert message.code in LOST


def test_a_later_schema_comes_and_goes(house: House, records: Records) -> None:
    later = LaterVersion(records)
    assert later.upgrade()
    assert not later.upgrade()
    assert records.rows("SELECT version_num FROM alembic_version") == [("9999",)]
    house.ask(BOARD)
    assert records.rows("SELECT later FROM job") == [("x",)]
    assert later.downgrade()
    assert records.rows("SELECT version_num FROM alembic_version") == [(head_revision(),)]
    assert not hasattr(records.rows("SELECT * FROM job")[0], "later")


def test_work_of_a_later_version_waits_until_it_is_taken_back(
    house: House, records: Records
) -> None:
    later = LaterVersion(records)
    assert not later.leave_work(random.Random(1))
    job = house.ask(BOARD)
    assert later.leave_work(random.Random(1))
    house.work()
    assert not house.read.view(job.id).finished
    assert later.take_work()
    house.work()
    assert house.read.view(job.id).state == "optimal"


def test_statements_are_done_all_or_none(house: House, records: Records) -> None:
    house.ask(BOARD)
    with pytest.raises(Exception, match="nowhere"):
        records.change("DELETE FROM bound_event", "UPDATE job SET gap = 1", "DELETE FROM nowhere")
    assert records.rows("SELECT gap FROM job") == [(0.0,)]
