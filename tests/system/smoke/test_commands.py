"""The installed program, and commands that need the running site or their own folders."""

from pathlib import Path

import pytest

from tests.support.cli.runner import Run
from tests.support.site import site_databases
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.settings import get_settings

HARDEST_3X3 = "8 6 7 2 5 4 3 0 1"
HARD_5X5 = "1 12 14 2 6 23 9 3 13 19 24 11 20 22 15 7 18 4 8 5 16 10 17 21 0"


@pytest.fixture(autouse=True)
def site_environment(site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site is the server; the folders belong to this test only."""
    monkeypatch.setenv("TILEWORK_SERVER", site)
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TILEWORK_DATABASES_DIR", str(site_databases()))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    get_settings.cache_clear()


def check_solution(letters: str, text: str, width: int) -> None:
    board = Board([int(tile) for tile in text.split()], width)
    replay(board, from_letters(letters.strip()), blank_last(board.size))


def test_job_on_a_server_and_verification_of_its_proof(tilework: Run) -> None:
    job = tilework("submit", HARDEST_3X3).out.strip()
    result = tilework("wait", job)
    assert result.err == "optimal: 31 moves\n"
    check_solution(result.out, HARDEST_3X3, 3)
    status = tilework("status", job, "--json").json
    assert (status["state"], status["lower_bound"], status["upper_bound"]) == ("optimal", 31, 31)
    certificate = tilework("certificate", job).out
    assert tilework("verify -", stdin=certificate).code == 0
    assert tilework("verify -", stdin=certificate.replace("31", "30")).code != 0
    job = tilework("submit --time-limit 600", HARD_5X5).out.strip()
    assert tilework("cancel --json", job).json["state"] == "cancelled"
    assert "\n3\t3\t" in tilework("stats").out
