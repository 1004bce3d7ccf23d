import time

import pytest
from sqlalchemy import func, select

from tests.support.services.staging import BOARD, GOAL
from tilework.core.errors import NotFoundError, OptionError
from tilework.core.model.history import EntryKind
from tilework.core.services.history.change import ChangeHistory
from tilework.core.services.history.read import ReadHistory
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.retention.purge import DAY_S, Purge
from tilework.core.storage.models import entry_mark


@pytest.fixture
def house(make_house):
    """A house of today, as ids are of today."""
    made = make_house()
    made.clock.now = time.time()
    return made


@pytest.fixture
def history(house):
    return ReadHistory(house.database, house.settings)


@pytest.fixture
def change(house):
    return ChangeHistory(house.database)


def marks(house):
    with house.database.engine(writes=False).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(entry_mark)).scalar_one())


def test_every_page_is_full_past_what_was_removed(house, history, change):
    jobs = [house.ask(BOARD).id for _ in range(7)][::-1]
    for one in jobs[1:4]:
        change.remove(house.client, one)
    first = history.page(house.client, limit=3)
    assert [entry.id for entry in first.entries] == [jobs[0], *jobs[4:6]]
    assert first.next == jobs[5]
    rest = history.page(house.client, before=first.next, limit=3)
    assert ([entry.id for entry in rest.entries], rest.next) == ([jobs[6]], None)
    # A batch is one entry, of another kind.
    batch = house.submit_batch(Submission(client_id=house.client, boards=[(BOARD, GOAL)] * 3))
    newest = history.page(house.client, limit=2).entries
    assert [entry.id for entry in newest] == [batch.id, jobs[0]]
    found = history.page(house.client, kinds=(EntryKind.JOB,)).entries
    assert [entry.id for entry in found] == [jobs[0], *jobs[4:]]


def test_an_entry_has_the_name_that_its_owner_gave_it_last(house, history, change):
    job, other = house.ask(BOARD).id, house.clients.new()
    with pytest.raises(NotFoundError):
        change.rename(other, job, "mine")
    for name in ("x" * 81, "a\x1bb", "a\u202eb"):
        with pytest.raises(OptionError):
            change.rename(house.client, job, name)
    assert (history.entry(house.client, job).name, marks(house)) == (None, 0)
    for name in ("one", "ã" * 80):
        assert change.rename(house.client, job, name) == name
        assert history.entry(house.client, job).name == name
    assert marks(house) == 1


def test_marks_go_after_what_they_mark(house, change):
    old = house.ask(BOARD, seconds=60.0).id
    house.work()
    change.rename(house.client, old, "old")
    house.clock.turn(91 * DAY_S)
    new = house.ask(BOARD, seconds=60.0).id
    change.rename(house.client, new, "new")
    due = Purge(house.database, house.settings)
    while not due._due:
        due.run_once()
    assert marks(house) == 1
    with pytest.raises(NotFoundError):
        change.remove(house.client, old)
    change.remove(house.client, new)
