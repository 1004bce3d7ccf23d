"""``tilework doctor`` finds what is broken, whatever else is, and in time."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from valkey import Valkey

from tilework.core.cli.doctor import command
from tilework.core.cli.doctor.command import examined
from tilework.core.puzzle.board import Size
from tilework.core.settings import Settings, get_settings
from tilework.core.solver.pdb.files import path_of
from tilework.core.solver.pdb.patterns import partitions_for
from tilework.core.solver.pdb.store import open_or_build
from tilework.core.storage.database import Database
from tilework.core.storage.schema import downgrade, upgrade
from tilework.worker.tickets import CeleryTickets

Run = Callable[..., Any]
Find = Callable[..., list[dict[str, str]]]


@pytest.fixture
def find(tilework: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Find]:
    """Run it and return what it says of a subject, or of all."""

    def run(subject: str | None = None, code: int | None = None, **changes: object) -> Any:
        for name, value in {"data_dir": tmp_path, **changes}.items():
            monkeypatch.setenv(f"TILEWORK_{name.upper()}", str(value))
        get_settings.cache_clear()
        done = tilework("doctor --json")
        if code is not None:
            assert done.code == code
        found = done.json
        assert done.code == any(one["level"] == "fault" for one in found)
        assert all(one["advice"] for one in found if one["level"] != "ok")
        return [one for one in found if subject in (None, one["subject"])]

    yield run
    get_settings.cache_clear()


def test_all_is_well(find: Find, tmp_path: Path, valkey: str, sqlite_template: Path) -> None:
    shutil.copyfile(sqlite_template, tmp_path / "tilework.sqlite")
    database = Database(f"sqlite:///{tmp_path / 'tilework.sqlite'}")
    with database.writing() as session:
        session.workers.seen("here", database.clock(), 0.0, "0.1.0")
    database.dispose()
    partition = partitions_for(Size(3, 2))[0]
    open_or_build(partition, tmp_path / "pdb")
    CeleryTickets(valkey).send("interactive", 2)
    found = find(code=0, broker_url=valkey)
    assert {one["level"] for one in found} == {"ok"}
    told = {one["subject"]: one["seen"] for one in found}
    assert told["broker"].endswith("answers, 2 tickets wait")
    assert "1 of 0.1.0" in told["workers"]
    assert "checksums of 1 files" in told["pattern databases"]


def test_an_empty_folder_is_no_fault(find: Find, tmp_path: Path) -> None:
    found = find(code=0)
    assert [one["subject"] for one in found if one["level"] == "warning"] == [
        "broker",
        "database",
        "pattern databases",
    ]
    assert list(tmp_path.iterdir()) == []  # it has only looked


def test_people_read_lines(tilework: Run, tmp_path: Path) -> None:
    done = tilework(f"doctor --data-dir {tmp_path}")
    assert done.code == 0
    assert "ok      versions: tilework" in done.out
    assert "\n          run `tilework up`" in done.out


def test_foreign_messages(find: Find, valkey: str) -> None:
    with Valkey.from_url(valkey) as client:
        client.rpush("search", b"not json", b'{"body": ""}', b"x" * 100_000)
        client.set("lab", "no list")
    [_, told] = find("broker", 0, broker_url=valkey)
    assert (told["level"], told["seen"][:10]) == ("warning", "4 messages")


def test_a_broker_that_is_away_is_named_without_its_password(find: Find) -> None:
    [told] = find("broker", 1, broker_url="redis://:secret@127.0.0.1:1/0")
    assert told["level"] == "fault"
    assert "127.0.0.1:1" in told["seen"]
    assert "secret" not in told["seen"]


def test_a_database_that_is_away_is_named_without_its_password(find: Find) -> None:
    url = "postgresql://me:secret@127.0.0.1:1/tilework?connect_timeout=2"
    [told] = find("database", 1, database_url=url)
    assert "127.0.0.1:1" in told["seen"]
    assert "secret" not in told["seen"]


def test_what_is_no_database(find: Find, tmp_path: Path) -> None:
    (tmp_path / "tilework.sqlite").write_bytes(b"nonsense" * 1_000)
    [told] = find("database", 1)
    assert "not a database" in told["seen"]


@pytest.mark.parametrize(
    ("revision", "words"), [("base", "no tables"), ("0012", "older than"), ("9999", "newer than")]
)
def test_a_schema_of_another_version(
    find: Find, empty_postgres_url: str, revision: str, words: str
) -> None:
    upgrade(empty_postgres_url)
    if revision == "9999":
        with psycopg.connect(empty_postgres_url, autocommit=True) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
    else:
        downgrade(empty_postgres_url, revision)
    [told] = find("schema", 1, database_url=empty_postgres_url)
    assert words in told["seen"]


def test_clocks_that_differ(find: Find, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    there = time.time
    monkeypatch.setattr("tilework.core.storage.clock.time.time", lambda: there() + 60)
    [told] = find("clock", database_url=postgres_url)
    assert told["level"] == "warning"
    assert "60.0 s ahead" in told["seen"]


def test_workers_of_another_version(find: Find, database_url: str, tmp_path: Path) -> None:
    database = Database(database_url)
    with database.writing() as session:
        session.workers.seen("new", database.clock(), 0.0, "9.9")
        session.workers.seen("old", database.clock(), 0.0)
        session.workers.seen("gone", database.clock() - 3_600, 0.0, "8.8")
    database.dispose()
    [told] = find("workers", 0, database_url=database_url)
    assert told["level"] == "warning"
    assert told["seen"] == "search workers: 1 of an older version, 1 of 9.9"


def test_a_damaged_pattern_database(find: Find, tmp_path: Path) -> None:
    partition = partitions_for(Size(3, 2))[0]
    folder = tmp_path / "pdb"
    open_or_build(partition, folder)
    path = path_of(partition, folder)
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    before = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    [told] = find("pattern databases", 1)
    assert "wrong checksum" in told["seen"]
    assert f"pdb build {path.stem}" in told["advice"]


def test_a_file_that_was_replaced_under_a_process(find: Find, tmp_path: Path) -> None:
    partition = partitions_for(Size(3, 2))[0]
    folder = tmp_path / "pdb"
    entries = open_or_build(partition, folder)
    path = path_of(partition, folder)
    shutil.copyfile(path, folder / "copy")
    os.replace(folder / "copy", path)
    told = find("pattern databases", 0)
    assert f"process {os.getpid()} uses {path.name}" in told[-1]["seen"]
    assert entries is not None  # in use until here


def test_a_disk_that_is_nearly_full(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    for free, level in ((1e6, "fault"), (1e9, "warning")):
        usage = SimpleNamespace(free=free)
        monkeypatch.setattr(
            "tilework.core.cli.doctor.machine.shutil.disk_usage", lambda _, u=usage: u
        )
        assert {one["level"] for one in find("disk")} == {level}


def test_secrets_that_others_may_read(find: Find, tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("x")
    (tmp_path / "secret_key").chmod(0o644)
    tmp_path.chmod(0o777)
    told = find("rights", 0)
    assert [one["advice"].split(" ")[1] for one in told] == ["o-w", "go="]
    tmp_path.chmod(0o755)
    (tmp_path / "secret_key").chmod(0o600)
    [told] = find("rights", 0)
    assert told["level"] == "ok"


def test_a_probe_that_hangs_or_breaks_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.monotonic()
    [told] = examined("disk", lambda _: time.sleep(30) or [], Settings(), 0.1)
    assert time.monotonic() - began < 5
    assert "did not answer within" in told.seen

    def broken(_settings: Settings) -> Any:
        raise RuntimeError("no such thing\nand more")

    [told] = examined("disk", broken, Settings(), 5.0)
    assert (told.level, told.seen) == ("fault", "no such thing")
    assert command.PATIENCE_S <= 10
