"""``tilework db backup`` while the system works, ``tilework db restore`` while it does not."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.services.house import House, furnish
from tilework.core.cli.system.folder_lock import lock_folder
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.settings import get_settings
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
def house(folder: Path) -> Iterator[House]:
    database = Database(f"sqlite:///{folder / 'tilework.sqlite'}")
    yield furnish(database, folder)
    database.dispose()


def boards(count: int) -> list[Board]:
    return [scramble(GOAL.size, GOAL, seed) for seed in range(count)]


def replayed(file: Path) -> int:
    """Replay every solution of a database; return how many."""
    database = Database(f"sqlite:///{file}")
    with sqlite3.connect(file) as plain:
        ids = [row[0] for row in plain.execute("SELECT id FROM solve WHERE moves IS NOT NULL")]
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        ends = plain.execute(
            "SELECT count(*) FROM job JOIN solve ON job.solve_id = solve.id "
            "WHERE job.state = 'optimal' AND solve.moves IS NULL"
        )
        assert ends.fetchone() == (0,)  # no job has ended without its solution
    for solve_id in ids:
        with database.reading() as session:
            puzzle, moves = session.solves.puzzle(solve_id), session.solves.moves(solve_id)
        assert moves is not None
        replay(unpack_board(puzzle.board_bytes), moves, unpack_board(puzzle.goal_bytes))
    database.dispose()
    return len(ids)


def test_a_backup_under_load_and_its_return(house: House, tilework: Run, folder: Path) -> None:
    first, later = boards(300)[:150], boards(300)[150:]
    for board in first:
        house.ask(board)
    house.work()
    before = replayed(folder / "tilework.sqlite")
    stop, asked = threading.Event(), threading.Event()

    def ask() -> None:
        for board in later:
            if stop.is_set():
                return
            house.ask(board)
            house.work()
            asked.set()

    load = threading.Thread(target=ask)
    load.start()
    asked.wait(10)
    try:
        done = tilework("db", "backup", str(folder / "monday.sqlite"))
    finally:
        stop.set()
        load.join()
    assert done.code == 0, done.err
    assert stat.S_IMODE((folder / "monday.sqlite").stat().st_mode) == 0o600
    within = replayed(folder / "monday.sqlite")
    after = replayed(folder / "tilework.sqlite")
    assert before <= within <= after
    house.database.dispose()
    done = tilework("db", "restore", str(folder / "monday.sqlite"))
    assert done.code == 0, done.err
    assert replayed(folder / "tilework.sqlite") == within
    [aside] = folder.glob("tilework.sqlite.before-*")
    assert str(aside) in done.out
    assert replayed(aside) == after
    assert sorted(path.name for path in folder.glob("*partial*")) == []
    # And the system goes on with it.
    again = furnish(Database(f"sqlite:///{folder / 'tilework.sqlite'}"), folder)
    assert again.ask(first[0]).cached


def test_others_write_while_a_copy_is_made(house: House, tilework: Run, folder: Path) -> None:
    with sqlite3.connect(folder / "tilework.sqlite", isolation_level=None) as big:
        big.execute("CREATE TABLE ballast (data BLOB)")
        for _ in range(40):
            big.execute("INSERT INTO ballast VALUES (zeroblob(1000000))")
    written = 0
    done = threading.Event()

    def write() -> None:
        nonlocal written
        while not done.is_set():
            house.clients.new()
            written += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert tilework("db", "backup", str(folder / "copy")).code == 0
    finally:
        done.set()
        thread.join()
    assert written > 10


def test_what_exists_is_not_overwritten(tilework: Run, folder: Path) -> None:
    (folder / "copy").write_text("precious")
    done = tilework("db", "backup", str(folder / "copy"))
    assert done.code == 2
    assert (folder / "copy").read_text() == "precious"


def test_where_it_cannot_be_written(tilework: Run, folder: Path) -> None:
    done = tilework("db", "backup", str(folder / "nowhere" / "copy"))
    assert (done.code, done.err.count("\n")) == (3, 1)
    (folder / "tilework.sqlite").unlink()
    assert tilework("db", "backup", str(folder / "copy")).code == 3
    assert not (folder / "copy").exists()


def test_a_running_system_is_not_replaced(house: House, tilework: Run, folder: Path) -> None:
    tilework("db", "backup", str(folder / "copy"))
    house.ask(boards(1)[0])  # whose connection stays open
    done = tilework("db", "restore", str(folder / "copy"))
    assert done.code == 3
    assert "in use" in done.err
    house.database.dispose()
    lock = lock_folder(folder, 0.0)
    done = tilework("db", "restore", str(folder / "copy"))
    os.close(lock)
    assert done.code == 2
    assert "in use by another tilework up" in done.err
    assert not list(folder.glob("*before*"))
    assert tilework("db", "restore", str(folder / "copy")).code == 0


def test_a_process_without_the_folders_lock_is_seen_too(tilework: Run, folder: Path) -> None:
    tilework("db", "backup", str(folder / "copy"))
    program = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
        "c.execute('SELECT 1 FROM client').fetchall(); print(flush=True); sys.stdin.read()"
    )
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [sys.executable, "-c", program, str(folder / "tilework.sqlite")]
    with sqlite3.connect(folder / "tilework.sqlite") as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    with subprocess.Popen(command, **pipes) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert tilework("db", "restore", str(folder / "copy")).code == 3
        process.communicate(b"")
    assert tilework("db", "restore", str(folder / "copy")).code == 0


@pytest.mark.parametrize("kind", ["damaged", "foreign", "no database", "later", "missing"])
def test_what_is_no_sound_backup_replaces_nothing(
    house: House, tilework: Run, folder: Path, kind: str
) -> None:
    for board in boards(100):
        house.ask(board)
    house.work()
    copy = folder / "copy"
    tilework("db", "backup", str(copy))
    house.database.dispose()
    match kind:
        case "damaged":
            data = bytearray(copy.read_bytes())
            for place in range(4096 * 20, len(data), 4096):
                data[place : place + 64] = bytes(64)
            copy.write_bytes(data)
        case "foreign":
            copy.unlink()
            with sqlite3.connect(copy) as other:
                other.execute("CREATE TABLE notes (text)")
        case "no database":
            copy.write_bytes(b"nonsense" * 1_000)
        case "later":
            with sqlite3.connect(copy) as other:
                other.execute("UPDATE alembic_version SET version_num = '9999'")
        case "missing":
            copy.unlink()
    before = (folder / "tilework.sqlite").read_bytes()
    done = tilework("db", "restore", str(copy))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert (folder / "tilework.sqlite").read_bytes() == before
    assert not list(folder.glob("*before*"))
    assert not list(folder.glob("*partial*"))


def test_a_damaged_database_is_replaced(tilework: Run, folder: Path) -> None:
    tilework("db", "backup", str(folder / "copy"))
    (folder / "tilework.sqlite").write_bytes(b"nonsense" * 1_000)
    assert tilework("db", "restore", str(folder / "copy")).code == 0
    assert replayed(folder / "tilework.sqlite") == 0


def test_postgresql_is_dumped_by_its_own_program(
    tilework: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "postgresql+psycopg://me:secret@db.example:5432/tilework"
    monkeypatch.setenv("TILEWORK_DATABASE_URL", url)
    programs = folder / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    get_settings.cache_clear()
    done = tilework("db", "backup", str(folder / "dump"))
    assert done.code == 3
    assert "pg_dump --format=custom" in done.err
    assert "secret" not in done.err
    # What it is called with, by a program in its place.
    stand_in = programs / "pg_dump"
    stand_in.write_text(
        f"#!{sys.executable}\nimport os, sys\n"
        "file = next(word[7:] for word in sys.argv if word.startswith('--file='))\n"
        "open(file, 'w').write(' '.join(sys.argv[1:]) + os.environ['PGPASSWORD'])\n"
    )
    stand_in.chmod(0o755)
    assert tilework("db", "backup", str(folder / "dump")).code == 0
    told = (folder / "dump").read_text()
    assert told.endswith("secret")
    assert "postgresql://me@db.example:5432/tilework" in told
    stand_in.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('no such host')\n")
    done = tilework("db", "backup", str(folder / "other"))
    assert (done.code, "no such host" in done.err) == (3, True)
    done = tilework("db", "restore", str(folder / "dump"))
    assert done.code == 2
    assert "pg_restore --clean" in done.err
