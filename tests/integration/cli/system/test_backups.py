"""``tilework db backup`` of a running system, ``tilework db restore`` of a stopped one."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.cli.runner import Run
from tests.support.services.service_fixture import ServiceFixture, make_service_fixture
from tilework.core.cli.system.processes import lock_folder
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.settings import get_settings
from tilework.core.storage import backups
from tilework.core.storage.database import Database

GOAL = blank_last(Size(3, 2))


@pytest.fixture(autouse=True)
def folder(data_folder: Path, sqlite_template: Path) -> Path:
    shutil.copyfile(sqlite_template, data_folder / "tilework.sqlite")
    return data_folder


@pytest.fixture
def service(folder: Path) -> Iterator[ServiceFixture]:
    database = Database(f"sqlite:///{folder / 'tilework.sqlite'}")
    yield make_service_fixture(database, folder)
    database.dispose()


def make_boards(count: int) -> list[Board]:
    return [scramble(GOAL.size, GOAL, seed) for seed in range(count)]


def replay_all(file: Path) -> int:
    """Replay all solutions in a database; return their number."""
    database = Database(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as plain:
        ids = [row[0] for row in plain.execute("SELECT id FROM solve WHERE moves IS NOT NULL")]
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for solve_id in ids:
        with database.reading() as session:
            puzzle, moves = session.solves.puzzle(solve_id), session.solves.moves(solve_id)
        assert moves is not None
        replay(unpack_board(puzzle.board_bytes), moves, unpack_board(puzzle.goal_bytes))
    database.dispose()
    return len(ids)


def test_backup_is_consistent_during_writes_and_can_be_restored(
    service: ServiceFixture, tilework: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "_PAGES_PER_STEP", 10)
    file, copy = folder / "tilework.sqlite", folder / "monday.sqlite"
    first, *later = make_boards(60)
    for board in (first, *later[:20]):
        service.request(board)
    service.work()
    count_before = replay_all(file)
    remaining = iter(later[20:])

    def submit(_share: float) -> None:
        if (board := next(remaining, None)) is not None:
            service.request(board)
            service.work()

    backups.back_up(file, copy, submit)
    assert len(later[20:]) - len(list(remaining)) > 2
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert replay_all(copy) == count_before
    count_after = replay_all(file)
    assert count_after > count_before

    service.database.dispose()
    result = tilework("db", "restore", str(copy))
    assert result.code == 0, result.err
    assert replay_all(file) == count_before
    [previous] = folder.glob("tilework.sqlite.before-*")
    assert str(previous) in result.out
    assert replay_all(previous) == count_after
    assert list(folder.glob("*partial*")) == []
    # The system works with the restored file.
    restored_service = make_service_fixture(Database(f"sqlite:///{file}"), folder)
    assert restored_service.request(first).cached
    restored_service.database.dispose()


def test_backup_replaces_no_file_and_reports_errors(tilework: Run, folder: Path) -> None:
    copy = folder / "copy"
    assert tilework("db", "backup", str(copy)).code == 0
    data = copy.read_bytes()
    assert tilework("db", "backup", str(copy)).code == 2
    assert copy.read_bytes() == data
    # A damaged database is replaced.
    (folder / "tilework.sqlite").write_bytes(b"nonsense" * 1_000)
    assert tilework("db", "restore", str(copy)).code == 0
    assert replay_all(folder / "tilework.sqlite") == 0
    result = tilework("db", "backup", str(folder / "nowhere" / "copy"))
    assert (result.code, result.err.count("\n")) == (3, 1)
    (folder / "tilework.sqlite").unlink()
    assert tilework("db", "backup", str(folder / "none")).code == 3
    assert not (folder / "none").exists()


def test_database_in_use_is_kept(service: ServiceFixture, tilework: Run, folder: Path) -> None:
    restore = ("db", "restore", str(folder / "copy"))
    tilework("db", "backup", str(folder / "copy"))
    service.request(make_boards(1)[0])  # the connection stays open
    result = tilework(*restore)
    assert (result.code, "in use" in result.err) == (3, True)
    service.database.dispose()
    lock = lock_folder(folder, 0.0)
    result = tilework(*restore)
    os.close(lock)
    assert (result.code, "in use by another tilework up" in result.err) == (2, True)
    assert not list(folder.glob("*before*"))
    assert tilework(*restore).code == 0


def damage(copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    for offset in range(4096 * 20, len(data), 4096):
        data[offset : offset + 64] = bytes(64)
    copy.write_bytes(data)


def replace_with_another_database(copy: Path) -> None:
    copy.unlink()
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("CREATE TABLE notes (text)")


def make_newer(copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def test_invalid_backup_is_rejected(service: ServiceFixture, tilework: Run, folder: Path) -> None:
    for board in make_boards(40):
        service.request(board)
    service.work()
    intact, copy = folder / "intact", folder / "copy"
    tilework("db", "backup", str(intact))
    service.database.dispose()
    original_data = (folder / "tilework.sqlite").read_bytes()
    for corrupt in (damage, replace_with_another_database, make_newer, Path.unlink):
        shutil.copy(intact, copy)
        corrupt(copy)
        result = tilework("db", "restore", str(copy))
        assert (result.code, result.err.count("\n")) == (2, 1), corrupt
        assert (folder / "tilework.sqlite").read_bytes() == original_data
        assert not list(folder.glob("*before*"))
        assert not list(folder.glob("*partial*"))


def test_postgresql_has_programs_of_its_own(
    tilework: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWORK_DATABASE_URL", "postgresql://me:secret@db.example:5432/tilework")
    get_settings.cache_clear()
    for action in ("backup", "restore"):
        result = tilework("db", action, str(folder / "dump"))
        assert (result.code, "its own pg_dump" in result.err) == (2, True)
        assert "secret" not in result.err
