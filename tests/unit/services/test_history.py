import time

import pytest
from sqlalchemy import func, select

from tests.support.services.scripted_solver import BOARD, GOAL
from tilework.core.errors import NotFoundError, OptionError
from tilework.core.model.history import EntryKind
from tilework.core.services.history import History
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.purger import DAY_S, Purger
from tilework.core.storage.models import entry_mark


@pytest.fixture
def service(make_service):
    """Services whose clock shows the current time, which ids contain."""
    fixture = make_service()
    fixture.clock.now = time.time()
    return fixture


@pytest.fixture
def history(service):
    return History(service.database, service.settings)


def count_marks(service):
    with service.database.engine(writes=False).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(entry_mark)).scalar_one())


def test_pages_are_full_despite_removed_entries(service, history):
    jobs = [service.request(BOARD).id for _ in range(7)][::-1]
    for job in jobs[1:4]:
        history.remove(service.client, job)
    first = history.page(service.client, limit=3)
    assert [entry.id for entry in first.entries] == [jobs[0], *jobs[4:6]]
    assert first.next == jobs[5]
    second = history.page(service.client, before=first.next, limit=3)
    assert ([entry.id for entry in second.entries], second.next) == ([jobs[6]], None)
    # A batch is one entry of another kind.
    batch = service.submit_batch(Submission(client_id=service.client, boards=[(BOARD, GOAL)] * 3))
    newest = history.page(service.client, limit=2).entries
    assert [entry.id for entry in newest] == [batch.id, jobs[0]]
    entries = history.page(service.client, kinds=(EntryKind.JOB,)).entries
    assert [entry.id for entry in entries] == [jobs[0], *jobs[4:]]


def test_entry_is_shown_with_its_last_name(service, history):
    job, other = service.request(BOARD).id, service.clients.new()
    with pytest.raises(NotFoundError):
        history.rename(other, job, "mine")
    for name in ("x" * 81, "a\x1bb", "a\u202eb"):
        with pytest.raises(OptionError):
            history.rename(service.client, job, name)
    assert (history.entry(service.client, job).name, count_marks(service)) == (None, 0)
    for name in ("name", "ã" * 80):
        assert history.rename(service.client, job, name) == name
        assert history.entry(service.client, job).name == name
    assert count_marks(service) == 1


def test_marks_are_deleted_after_their_entries(service, history):
    old = service.request(BOARD, seconds=60.0).id
    service.work()
    history.rename(service.client, old, "old")
    service.clock.advance(91 * DAY_S)
    new = service.request(BOARD, seconds=60.0).id
    history.rename(service.client, new, "new")
    purger = Purger(service.database, service.settings)
    while not purger._due:
        purger.run_once()
    assert count_marks(service) == 1
    with pytest.raises(NotFoundError):
        history.remove(service.client, old)
    history.remove(service.client, new)
