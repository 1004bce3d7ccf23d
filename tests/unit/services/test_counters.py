import pytest

from tilework.core.errors import UnavailableError
from tilework.core.model.states import Tally
from tilework.core.services.counters import Counters
from tilework.core.storage.database import Database


def saved(database):
    with database.reading() as session:
        return session.tallies.read()


def test_the_counts_of_all_processes_add_up(database):
    first, second = Counters(database), Counters(database)
    first.note(Tally.FOREIGN_MESSAGES, "search")
    for _ in range(2):
        second.note(Tally.FOREIGN_MESSAGES, "search")
    second.note(Tally.RESTARTS, "web")
    first.save()
    second.save()
    second.save()
    assert saved(database) == {(Tally.FOREIGN_MESSAGES, "search"): 3, (Tally.RESTARTS, "web"): 1}


def test_what_cannot_be_saved_is_kept(database, tmp_path):
    away = tmp_path / "away"
    url = f"sqlite:///{away / 'x' / 'tilework.sqlite'}"
    away.write_text("a file where a folder should be")
    tallies = Counters(Database(url))
    tallies.note(Tally.RESTARTS, "web")
    for _ in range(2):
        with pytest.raises(UnavailableError):
            tallies.save()
    tallies._storage = database
    tallies.save()
    assert saved(database) == {(Tally.RESTARTS, "web"): 1}
