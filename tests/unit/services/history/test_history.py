"""Histories over both databases, and what becomes of names once rows are old."""

from __future__ import annotations

import time
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.support.services.staging import BOARD, GOAL
from tilework.core.errors import NotFoundError, OptionError
from tilework.core.services.history.change import ChangeHistory
from tilework.core.services.history.read import ReadHistory
from tilework.core.services.history.records import EntryKind
from tilework.core.services.jobs.submission import BatchSubmission
from tilework.core.services.retention.purge import DAY_S, Purge
from tilework.core.storage.models import entry_mark


@pytest.fixture
def house(make_house: Any) -> Any:
    """A house of today, as ids are of today."""
    made = make_house()
    made.clock.now = time.time()
    return made


@pytest.fixture
def history(house: Any) -> ReadHistory:
    return ReadHistory(house.database, house.settings)


@pytest.fixture
def change(house: Any) -> ChangeHistory:
    return ChangeHistory(house.database)


def ids(history: ReadHistory, house: Any, **options: Any) -> list[str]:
    return [entry.id for entry in history.page(house.client, **options).entries]


def marks(house: Any) -> int:
    with house.database.engine(writes=False).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(entry_mark)).scalar_one())


def test_a_batch_is_one_entry(house: Any, history: ReadHistory) -> None:
    job = house.ask(BOARD)
    batch = house.submit_batch(BatchSubmission(client_id=house.client, items=[(BOARD, GOAL)] * 3))
    assert ids(history, house) == [batch.id, job.id]
    assert ids(history, house, kinds=(EntryKind.JOB,)) == [job.id]


def test_every_page_is_full_past_what_was_removed(
    house: Any, history: ReadHistory, change: ChangeHistory
) -> None:
    jobs = [house.ask(BOARD).id for _ in range(7)][::-1]
    for one in jobs[1:4]:
        change.remove(house.client, one)
    first = history.page(house.client, limit=3)
    assert [entry.id for entry in first.entries] == [jobs[0], *jobs[4:6]]
    assert first.next == jobs[5]
    rest = history.page(house.client, before=first.next, limit=3)
    assert ([entry.id for entry in rest.entries], rest.next) == ([jobs[6]], None)


def test_the_last_of_two_names_stays(
    house: Any, history: ReadHistory, change: ChangeHistory
) -> None:
    job = house.ask(BOARD).id
    assert history.entry(house.client, job).name is None
    for name in ("one", "two"):
        assert change.rename(house.client, job, name) == name
    assert history.entry(house.client, job).name == "two"
    assert marks(house) == 1


def test_a_name_has_a_bound_and_no_hidden_signs(house: Any, change: ChangeHistory) -> None:
    job = house.ask(BOARD).id
    assert change.rename(house.client, job, "ã" * 80) == "ã" * 80
    for name in ("x" * 81, "a\x1bb", "a\u202eb"):
        with pytest.raises(OptionError):
            change.rename(house.client, job, name)


def test_anothers_entry_is_none(house: Any, history: ReadHistory, change: ChangeHistory) -> None:
    job = house.ask(BOARD).id
    other = house.clients.new()
    for act in (
        lambda: history.entry(other, job),
        lambda: change.rename(other, job, "mine"),
        lambda: change.remove(other, job),
    ):
        with pytest.raises(NotFoundError):
            act()
    assert marks(house) == 0


def test_marks_go_after_what_they_mark(house: Any, change: ChangeHistory) -> None:
    old = house.ask(BOARD, seconds=60.0).id
    house.work()
    change.rename(house.client, old, "old")
    house.clock.turn(91 * DAY_S)
    new = house.ask(BOARD, seconds=60.0).id
    change.rename(house.client, new, "new")
    due = Purge(house.database, house.settings)
    for _ in range(1_000):
        due.run_once()
        if due._due:
            break
    assert marks(house) == 1
    with pytest.raises(NotFoundError):
        change.remove(house.client, old)
    change.remove(house.client, new)
