import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.cli.runner import Run
from tilework.core.assembly import Services
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.jobs.submit import Submission
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import get_settings


@pytest.fixture
def database(
    tmp_path: Path, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A database with one job."""
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(tmp_path))
    get_settings.cache_clear()
    path = tmp_path / "tilework.sqlite"
    path.write_bytes(sqlite_template.read_bytes())
    services = Services(get_settings(), NoTickets())
    board = Board([1, 2, 3, 4, 5, 6, 0, 7, 8], 3, 3)
    boards = [(board, blank_last(board.size))]
    services.submit(Submission(boards=boards, client_id=services.clients.new()))
    services.storage.dispose()  # type: ignore[attr-defined]
    yield path
    get_settings.cache_clear()


def test_damage_is_reported(tilework: Run, database: Path) -> None:
    result = tilework("audit")
    assert (result.code, result.out) == (0, "2 rows were checked; all are intact.\n")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE solve SET lower_bound = lower_bound + 2")
    result = tilework("audit")
    assert result.code == 1
    assert "its checksum or its bounds are wrong" in result.out
    assert result.out.endswith(
        "1 of 2 rows are damaged; their boards are searched again when they are next read.\n"
    )
    result = tilework("audit --json")
    report = json.loads(result.out)
    assert (result.code, report["damaged"], report["listed"][0]["table"]) == (1, 1, "solve")
    database.unlink()
    assert tilework("audit").code == 3
