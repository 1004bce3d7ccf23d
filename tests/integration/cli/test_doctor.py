from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from structlog.testing import capture_logs
from valkey import Valkey

from tests.support.cli.runner import Run
from tests.support.servers import run_valkey
from tilework.core.services.tickets import find_remedy
from tilework.core.settings import get_settings
from tilework.core.storage.schema import upgrade
from tilework.worker.tickets import CeleryTickets

Find = Callable[..., list[dict[str, str]]]


@pytest.fixture
def find(tilework: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Find]:
    """Run the command; return the findings on a subject, or all findings."""
    monkeypatch.setattr("tilework.core.cli.system.doctor._BROKER_TIMEOUT_S", 200.0)

    def run(subject: str | None = None, code: int | None = None, **changes: object) -> Any:
        for name, value in {"data_dir": tmp_path, **changes}.items():
            monkeypatch.setenv(f"TILEWORK_{name.upper()}", str(value))
        get_settings.cache_clear()
        result = tilework("doctor --json")
        if code is not None:
            assert result.code == code, result.out
        findings = result.json
        assert result.code == any(finding["level"] == "fault" for finding in findings)
        assert all(finding["advice"] for finding in findings if finding["level"] != "ok")
        return [finding for finding in findings if subject in (None, finding["subject"])]

    yield run
    get_settings.cache_clear()


def test_empty_folder_is_not_a_fault(find: Find, tilework: Run, tmp_path: Path) -> None:
    findings = find(code=0)
    warned = [finding["subject"] for finding in findings if finding["level"] == "warning"]
    assert warned == ["database", "broker"]
    report = tilework("doctor").out
    assert "ok      cores: this process may use" in report
    assert "\n          run `tilework up`" in report
    assert list(tmp_path.iterdir()) == []  # doctor creates nothing


def test_healthy_system_has_no_problems(find: Find, valkey: str, postgres_url: str) -> None:
    findings = find(code=0, broker_url=valkey, database_url=postgres_url)
    assert {finding["level"] for finding in findings} == {"ok"}, findings
    report = {finding["subject"]: finding["seen"] for finding in findings}
    assert report["broker"].endswith(" responds")
    assert report["schema"].endswith("as this version requires")


def test_invalid_database(find: Find, tmp_path: Path) -> None:
    (tmp_path / "tilework.sqlite").write_bytes(b"nonsense" * 1_000)
    [report] = find("database", 1)
    assert "not a database" in report["seen"]


def test_nearly_full_disk(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    for free, level in ((1e6, "fault"), (1e9, "warning")):
        usage = SimpleNamespace(free=free)
        disk_usage = "tilework.core.cli.system.doctor.shutil.disk_usage"
        monkeypatch.setattr(disk_usage, lambda _, u=usage: u)
        findings = find("disk", database_url="sqlite:////tmp/elsewhere/x")
        assert {finding["level"] for finding in findings} == {level}
        assert findings[-1]["seen"].endswith("for the database '/tmp/elsewhere'")


def test_unreachable_servers_are_named_without_passwords(find: Find) -> None:
    findings = find(
        code=1,
        broker_url="redis://:swordfish@127.0.0.1:1/0",
        database_url="postgresql://me:swordfish@127.0.0.1:1/tilework",
    )
    report = {finding["subject"]: finding for finding in findings}
    for subject in ("broker", "database"):
        assert report[subject]["level"] == "fault"
        assert "127.0.0.1:1" in report[subject]["seen"]
    assert "swordfish" not in str(findings)


def test_advice_names_what_a_broker_refuses(find: Find) -> None:
    with run_valkey() as url:
        with Valkey.from_url(url) as client:
            client.config_set("requirepass", "p@ss/word")
        right, wrong, closed = (
            url.replace("//", f"//:{password}@") for password in ("p%40ss%2Fword", "pass", "x")
        )
        [report] = find("broker", 0, broker_url=right)
        assert report["seen"].endswith("responds")
        for broker_url, advice in ((url, "add its password"), (wrong, "correct the password")):
            [report] = find("broker", 1, broker_url=broker_url)
            assert report["advice"].startswith(advice), report
            with capture_logs(), closing(CeleryTickets(broker_url)) as tickets:
                assert str(tickets.find_problem()).startswith(advice)
    [report] = find("broker", 1, broker_url=closed)
    assert "(bind in its redis.conf)" in report["advice"]
    # What Redis says to another host, which a test cannot be.
    assert "requirepass" in find_remedy("DENIED Redis is running in protected mode because …")


def test_schema_of_another_version_is_reported(find: Find, empty_postgres_url: str) -> None:
    def report() -> str:
        [schema] = find("schema", 1, database_url=empty_postgres_url)
        return schema["seen"]

    assert "the schema 'none'" in report()
    upgrade(empty_postgres_url)
    with psycopg.connect(empty_postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "the schema '9999'" in report()
