from types import SimpleNamespace

import pytest

from tilework.core.errors import UnavailableError
from tilework.core.model.states import CounterName
from tilework.core.services.health import Counters, Health
from tilework.core.settings import Settings
from tilework.core.storage.database import Database


def test_unreachable_broker_makes_the_service_unready(service):
    service.tickets.broken = True
    assert service.health.check().reasons == ("the broker does not answer",)
    service.tickets.broken = False
    assert service.health.check().ready


def test_full_disk_makes_the_service_unready(service, tmp_path, monkeypatch):
    full = tmp_path / "full"
    full.mkdir()
    monkeypatch.setattr(
        "tilework.core.services.health.shutil.disk_usage",
        lambda path: SimpleNamespace(free=0 if path == full else 2**40),
    )
    for folder, url, is_full in (
        (full, "", True),
        (tmp_path, f"sqlite:///{full / 'x'}", True),
        (full, f"sqlite:///{tmp_path / 'x'}", False),
        (full, "postgresql:///x", False),
    ):
        health = Health(
            service.database, service.tickets, Settings(data_dir=folder, database_url=url)
        )
        assert health.check().reasons == ("the disk of the database is full",) * is_full


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
