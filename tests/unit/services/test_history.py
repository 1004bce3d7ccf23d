import time

import pytest
from sqlalchemy import func, select

from tests.support.services.scripted_solver import BOARD
from tilework.core.errors import NotFoundError
from tilework.core.services.history import History
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
