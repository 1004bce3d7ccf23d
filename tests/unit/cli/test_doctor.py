import os
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.cli.doctor import Find
from tests.support.cli.runner import Run
from tests.support.damage import overwrite
from tilework.core.cli.doctor import command
from tilework.core.cli.doctor.command import run_probe
from tilework.core.puzzle.board import Size
from tilework.core.settings import Settings
from tilework.core.solver.pdb.files import database_path
from tilework.core.solver.pdb.patterns import partitions_for
from tilework.core.solver.pdb.store import open_or_build
from tilework.core.storage.database import Database

PARTITION = partitions_for(Size(3, 2))[0]


def test_empty_folder_is_not_a_fault(find: Find, tilework: Run, tmp_path: Path) -> None:
    findings = find(code=0)
    warned = [finding["subject"] for finding in findings if finding["level"] == "warning"]
    assert warned == ["broker", "database", "pattern databases"]
    report = tilework(f"doctor --data-dir {tmp_path}").out
    assert "ok      versions: tilework" in report
    assert "\n          run `tilework up`" in report
    assert list(tmp_path.iterdir()) == []  # doctor creates nothing


def test_invalid_database(find: Find, tmp_path: Path) -> None:
    (tmp_path / "tilework.sqlite").write_bytes(b"nonsense" * 1_000)
    [report] = find("database", 1)
    assert "not a database" in report["seen"]


def test_workers_of_another_version(find: Find, database_url: str) -> None:
    database = Database(database_url)
    hour = 3_600
    with database.writing() as session:
        session.workers.record_heartbeat("new", database.clock() + hour, 0.0, "9.9")
        session.workers.record_heartbeat("old", database.clock() + hour, 0.0)
        session.workers.record_heartbeat("gone", database.clock() - hour, 0.0, "8.8")
    database.dispose()
    [report] = find("workers", 0, database_url=database_url)
    assert report["level"] == "warning"
    assert report["seen"] == "search workers: 1 of an older version, 1 of 9.9"


def test_damaged_pattern_database(find: Find, tmp_path: Path) -> None:
    folder = tmp_path / "pdb"
    open_or_build(PARTITION, folder)
    path = database_path(PARTITION, folder)
    overwrite(path, 5_000, b"\1", keep_time=True)
    [report] = find("pattern databases", 1)
    assert "wrong checksum" in report["seen"]
    assert f"pdb build {path.stem} --databases {folder};" in report["advice"]


def test_file_replaced_while_a_process_maps_it(find: Find, tmp_path: Path) -> None:
    folder = tmp_path / "pdb"
    entries = open_or_build(PARTITION, folder)
    path = database_path(PARTITION, folder)
    shutil.copyfile(path, folder / "copy")
    os.replace(folder / "copy", path)
    report = find("pattern databases", 0)
    assert f"process {os.getpid()} uses an old version of {path.name}" in report[-1]["seen"]
    assert entries is not None  # in use until here


def test_nearly_full_disk(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    for free, level in ((1e6, "fault"), (1e9, "warning")):
        usage = SimpleNamespace(free=free)
        disk_usage = "tilework.core.cli.doctor.machine.shutil.disk_usage"
        monkeypatch.setattr(disk_usage, lambda _, u=usage: u)
        findings = find("disk", database_url="sqlite:////elsewhere/x")
        assert {finding["level"] for finding in findings} == {level}
        assert findings[-1]["seen"].endswith("for the database '/elsewhere'")


def test_secrets_readable_by_others(find: Find, tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("x")
    (tmp_path / "secret_key").chmod(0o644)
    tmp_path.chmod(0o777)
    assert [finding["advice"].split(" ")[1] for finding in find("rights", 0)] == ["o-w", "go="]


def test_probe_that_hangs_or_fails_is_reported() -> None:
    released = threading.Event()

    def hang(_settings: Settings) -> Any:
        released.wait()
        return []

    [report] = run_probe("disk", hang, Settings(), 0.1)
    released.set()
    assert "did not answer within" in report.seen

    def fail(_settings: Settings) -> Any:
        raise RuntimeError("no such thing\nand more")

    [report] = run_probe("disk", fail, Settings(), 60.0)
    assert (report.level, report.seen) == ("fault", "no such thing")
    assert command.TIMEOUT_S <= 10
