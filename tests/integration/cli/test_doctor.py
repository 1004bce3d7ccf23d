import shutil
import time
from pathlib import Path

import psycopg
import pytest
from valkey import Valkey

import tilework
from tests.support.cli.doctor import Find
from tests.support.waiting import wait_until
from tilework.core.cli.system.embedded_valkey import EmbeddedValkey
from tilework.core.cli.system.supervisor import Supervisor
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.patterns import partitions_for
from tilework.core.solver.pdb.store import open_or_build
from tilework.core.storage.database import Database
from tilework.core.storage.schema import downgrade, upgrade
from tilework.worker.tickets import CeleryTickets


def test_healthy_system_has_no_problems(
    find: Find, tmp_path: Path, valkey: str, sqlite_template: Path
) -> None:
    shutil.copyfile(sqlite_template, tmp_path / "tilework.sqlite")
    database = Database(f"sqlite:///{tmp_path / 'tilework.sqlite'}")
    with database.writing() as session:
        # A heartbeat that does not expire during this test.
        session.workers.record_heartbeat("w", database.clock() + 3_600, 0.0, tilework.__version__)
    database.dispose()
    open_or_build(partitions_for(Size(3, 2))[0], tmp_path / "pdb")
    tickets = CeleryTickets(valkey)

    def one_ticket_is_waiting() -> bool:
        if tickets.depth("interactive") == 0:
            tickets.send("interactive")
        return tickets.depth("interactive") == 1

    wait_until(one_ticket_is_waiting)
    findings = find(code=0, broker_url=valkey)
    assert {finding["level"] for finding in findings} == {"ok"}, findings
    report = {finding["subject"]: finding["seen"] for finding in findings}
    assert report["broker"].endswith("responds; waiting tickets: 1")
    assert f"1 of {tilework.__version__}" in report["workers"]
    assert "checksums of 1 files" in report["pattern databases"]


def test_broker_of_a_deep_data_folder_is_found(find: Find, tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 30)  # too deep for a socket
    valkey = EmbeddedValkey(folder / "broker")
    with Supervisor() as supervisor:
        supervisor.start(valkey.program())
        valkey.wait_until_ready(supervisor)
        [report] = find("broker", data_dir=folder)
    assert report["level"] == "ok"


def test_data_of_another_program_is_reported(find: Find, valkey: str) -> None:
    with Valkey.from_url(valkey) as client:
        client.rpush("foreign:search", b"not json")
        client.set("lab", "no list")
    [_, report] = find("broker", 0, broker_url=valkey)
    assert (report["level"], report["seen"][-19:]) == ("warning", "lab, foreign:search")


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


def test_schema_of_another_version_is_reported(find: Find, empty_postgres_url: str) -> None:
    def report() -> str:
        [schema] = find("schema", 1, database_url=empty_postgres_url)
        return schema["seen"]

    assert "no tables" in report()
    upgrade(empty_postgres_url)
    downgrade(empty_postgres_url, "0022")
    assert "older than" in report()
    with psycopg.connect(empty_postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer than" in report()


def test_clock_skew_is_reported(
    find: Find, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_time = time.time
    monkeypatch.setattr("tilework.core.storage.database.time.time", lambda: real_time() + 3_600)
    [report] = find("clock", database_url=postgres_url)
    assert report["level"] == "warning"
    assert "s ahead of the database's" in report["seen"]
