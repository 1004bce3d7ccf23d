from types import SimpleNamespace

from tilework.core.services.health import Health
from tilework.core.settings import Settings


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
