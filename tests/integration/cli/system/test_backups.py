"""``tilework db backup`` of a running system, ``tilework db restore`` of a stopped one."""

import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.services.service_fixture import ServiceFixture, make_service_fixture
from tilework.core.cli.system.folder_lock import lock_folder
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.settings import get_settings
from tilework.core.storage import backups
from tilework.core.storage.database import Database

Run = Callable[..., Any]
GOAL = blank_last(Size(3, 2))


@pytest.fixture(autouse=True)
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_template: Path
) -> Iterator[Path]:
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(tmp_path))
    shutil.copyfile(sqlite_template, tmp_path / "tilework.sqlite")
    get_settings.cache_clear()
    yield tmp_path
    get_settings.cache_clear()


@pytest.fixture
def service(folder: Path) -> Iterator[ServiceFixture]:
    database = Database(f"sqlite:///{folder / 'tilework.sqlite'}")
    yield make_service_fixture(database, folder)
    database.dispose()


def boards(count: int) -> list[Board]:
    return [scramble(GOAL.size, GOAL, seed) for seed in range(count)]


def replay_all(file: Path) -> int:
    """Replay every solution of a database; return how many."""
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
    first, *later = boards(60)
    for board in (first, *later[:20]):
        service.request(board)
    service.work()
    before = replay_all(file)
    remaining = iter(later[20:])

    def submit(_share: float) -> None:
        if (board := next(remaining, None)) is not None:
            service.request(board)
            service.work()

    backups.back_up(file, copy, submit)
    written = len(later[20:]) - len(list(remaining))
    assert written > 2
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert replay_all(copy) == before
    after = replay_all(file)
    assert after > before

    service.database.dispose()
    result = tilework("db", "restore", str(copy))
    assert result.code == 0, result.err
    assert replay_all(file) == before
    [aside] = folder.glob("tilework.sqlite.before-*")
    assert str(aside) in result.out
    assert replay_all(aside) == after
    assert list(folder.glob("*partial*")) == []
    # The system continues with it.
    repeated = make_service_fixture(Database(f"sqlite:///{file}"), folder)
    assert repeated.request(first).cached
    repeated.database.dispose()


def test_unwritable_backup(tilework: Run, folder: Path) -> None:
    copy = folder / "copy"
    assert tilework("db", "backup", str(copy)).code == 0
    written = copy.read_bytes()
    assert tilework("db", "backup", str(copy)).code == 2
    assert copy.read_bytes() == written
    # A damaged database is replaced.
    (folder / "tilework.sqlite").write_bytes(b"nonsense" * 1_000)
    assert tilework("db", "restore", str(copy)).code == 0
    assert replay_all(folder / "tilework.sqlite") == 0
    result = tilework("db", "backup", str(folder / "nowhere" / "copy"))
    assert (result.code, result.err.count("\n")) == (3, 1)
    (folder / "tilework.sqlite").unlink()
    assert tilework("db", "backup", str(folder / "none")).code == 3
    assert not (folder / "none").exists()


def test_a_database_in_use_is_not_replaced(
    service: ServiceFixture, tilework: Run, folder: Path
) -> None:
    restore = ("db", "restore", str(folder / "copy"))
    tilework("db", "backup", str(folder / "copy"))
    service.request(boards(1)[0])  # whose connection stays open
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


def replace_by_another_database(copy: Path) -> None:
    copy.unlink()
    with closing(sqlite3.connect(copy)) as other:
        other.execute("CREATE TABLE notes (text)")


def make_later(copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")


SPOILS = (damage, replace_by_another_database, make_later, Path.unlink)


def test_invalid_backup_is_not_restored(
    service: ServiceFixture, tilework: Run, folder: Path
) -> None:
    for board in boards(40):
        service.request(board)
    service.work()
    sound, copy = folder / "sound", folder / "copy"
    tilework("db", "backup", str(sound))
    service.database.dispose()
    before = (folder / "tilework.sqlite").read_bytes()
    for spoil in SPOILS:
        shutil.copy(sound, copy)
        spoil(copy)
        result = tilework("db", "restore", str(copy))
        assert (result.code, result.err.count("\n")) == (2, 1), spoil
        assert (folder / "tilework.sqlite").read_bytes() == before
        assert not list(folder.glob("*before*"))
        assert not list(folder.glob("*partial*"))


# A fake of `pg_dump`.
STAND_IN = f"""#!{sys.executable}
import os, sys
if os.environ["PGPASSWORD"] != "secret":
    sys.exit("no such host")
file = next(word[7:] for word in sys.argv if word.startswith("--file="))
open(file, "w").write(" ".join(sys.argv[1:]))
"""


def test_postgresql_is_dumped_by_pg_dump(
    tilework: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = folder / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))

    def run(action: str, secret: str = "secret") -> Any:
        url = f"postgresql+psycopg://me:{secret}@db.example:5432/tilework"
        monkeypatch.setenv("TILEWORK_DATABASE_URL", url)
        get_settings.cache_clear()
        return tilework("db", action, str(folder / "dump"))

    lacking = run("backup")
    assert (lacking.code, "pg_dump --format=custom" in lacking.err) == (3, True)
    assert "secret" not in lacking.err
    (programs / "pg_dump").write_text(STAND_IN)
    (programs / "pg_dump").chmod(0o755)
    rejected = run("backup", "another")
    assert (rejected.code, "no such host" in rejected.err) == (3, True)
    assert run("backup").code == 0
    assert "postgresql://me@db.example:5432/tilework" in (folder / "dump").read_text()
    restored = run("restore")
    assert (restored.code, "pg_restore --clean" in restored.err) == (2, True)
