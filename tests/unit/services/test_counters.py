import pytest

from tilework.core.errors import UnavailableError
from tilework.core.model.states import CounterName
from tilework.core.services.health import Counters
from tilework.core.storage.database import Database


def read_counts(database):
    with database.reading() as session:
        return session.operation.counters()


def test_counts_that_cannot_be_saved_are_saved_later(database, tmp_path):
    file = tmp_path / "file"
    url = f"sqlite:///{file / 'x' / 'tilework.sqlite'}"
    file.write_text("a file where a folder should be")
    counters = Counters(Database(url))
    counters.increment(CounterName.RESTARTS, "web")
    for _ in range(2):
        with pytest.raises(UnavailableError):
            counters.save()
    counters._storage = database
    counters.save()
    assert read_counts(database) == {(CounterName.RESTARTS, "web"): 1}
