from __future__ import annotations

from tilework.core.puzzle.board import Board
from tilework.core.services.health import Health
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)


def test_an_idle_system_is_ready(house):
    assert house.health.check().ready


def test_waiting_work_that_nobody_claims_is_a_reason(house):
    house.ask(BOARD)
    assert house.health.check().ready
    house.clock.turn(house.settings.unclaimed_s + 1)
    health = house.health.check()
    assert not health.ready
    assert "interactive" in health.reasons[0]
    house.work()
    assert house.health.check().ready


def test_work_behind_other_work_is_no_reason(house):
    house.ask(BOARD)
    house.clock.turn(house.settings.unclaimed_s + 1)
    house.claim()
    house.ask(Board([1, 2, 3, 0, 4, 5], 3, 2))
    assert house.health.check().ready


def test_a_database_without_schema_is_a_reason(house, tmp_path):
    empty = Database(f"sqlite:///{tmp_path / 'other.sqlite'}")
    assert "schema" in Health(empty, house.tickets, house.settings).check().reasons[0]
    empty.dispose()


def test_a_database_that_does_not_answer_is_a_reason(house, tmp_path):
    silent = Database(f"postgresql://nobody@/nothing?host={tmp_path}")
    assert "answer" in Health(silent, house.tickets, house.settings).check().reasons[0]
    silent.dispose()


def test_a_broker_that_does_not_answer_is_a_reason(house):
    house.tickets.broken = True
    assert house.health.check().reasons == ("the broker does not answer",)
    house.tickets.broken = False
    assert house.health.check().ready


def test_a_disk_that_is_all_but_full_is_a_reason(house, tmp_path):
    room = Settings(data_dir=tmp_path, database_url="sqlite:///x", least_free_bytes=2**60)
    assert Health(house.database, house.tickets, room).check().reasons == (
        "the disk of the database is full",
    )
    elsewhere = Settings(data_dir=tmp_path, database_url="postgresql:///x", least_free_bytes=2**60)
    assert Health(house.database, house.tickets, elsewhere).check().ready
