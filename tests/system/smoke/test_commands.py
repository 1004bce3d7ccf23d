"""Every command once, in this process; those that talk to a server use the running site."""

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.cli.runner import Run
from tests.support.sample_pictures import TILES, draw_picture_file
from tests.support.site import site_databases
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.settings import get_settings

HARDEST = "8 6 7 2 5 4 3 0 1"
FIFTEEN = "2 0 3 4 1 6 7 8 5 10 11 12 9 13 14 15"
HARD_5X5 = "1 12 14 2 6 23 9 3 13 19 24 11 20 22 15 7 18 4 8 5 16 10 17 21 0"


@pytest.fixture(autouse=True)
def site_environment(site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site as the server, and folders of this test alone."""
    monkeypatch.setenv("TILEWORK_SERVER", site)
    monkeypatch.setenv("TILEWORK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TILEWORK_DATABASES_DIR", str(site_databases()))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    get_settings.cache_clear()


def solves(letters: str, text: str, width: int) -> bool:
    board = Board([int(tile) for tile in text.split()], width)
    replay(board, from_letters(letters.strip()), blank_last(board.size))
    return True


def test_installed_program_solves(program: Run) -> None:
    assert program("--version").out.split()[-1] == version("tilework")
    solved = program("solve", *HARDEST.split())
    assert solved.code == 0
    assert len(solved.out.strip()) == 31
    assert solves(solved.out, HARDEST, 3)


def test_boards_are_generated_checked_and_solved(tilework: Run, tmp_path: Path) -> None:
    assert solves(tilework("solve", FIFTEEN).out, FIFTEEN, 4)
    assert tilework("hint", "1 2 3 4 5 6 0 7 8").out.startswith("move tile 7 left; 1 more")
    ways = tilework("ways", HARDEST).out
    assert {"31", "40"} <= set(ways.split())
    assert tilework("slides", HARDEST).err.startswith("20 slides, proven optimal")
    assert tilework("check --json", "1 2 3 4 5 6 8 7 0").json["solvable"] is False
    scrambled = tilework("scramble 3x2 --seed 5 --format json").json
    board = Board([tile for row in scrambled for tile in row], 3)
    assert board.is_solvable(blank_last(Size(3, 2)))
    picture = tmp_path / "board.png"
    picture.write_bytes(draw_picture_file())
    assert tilework("read-picture", str(picture)).out.split()[-16:] == [str(tile) for tile in TILES]
    analysed = tilework("analyse", "[[1,2,3],[4,5,6],[0,7,8]]", "LRLL", "--json").json
    assert analysed["lower"] == analysed["upper"] == [2, 1, 2, 1, 0]


def test_textbook_searches_are_compared_and_shown(tilework: Run) -> None:
    methods = "--method breadth-first --method a-star:manhattan --format json"
    compared = tilework("compare 0 1 3 4 2 5 7 8 6", methods).json
    assert [run["length"] for run in compared] == [4, 4]
    assert "a-star\tyes" in tilework("lab list").out
    assert tilework("lab run 0 1 3 4 2 5 7 8 6 --method breadth-first --json").json["length"] == 4
    trace = tilework("lab trace 0 1 3 4 2 5 7 8 6 --json").json
    assert trace["steps"][1]["children"][1]["outcome"] == "duplicate"


def test_jobs_on_a_server_and_verification_of_their_proof(tilework: Run) -> None:
    job = tilework("submit", HARDEST).out.strip()
    waited = tilework("wait", job)
    assert waited.err == "optimal: 31 moves\n"
    assert solves(waited.out, HARDEST, 3)
    status = tilework("status", job, "--json").json
    assert (status["state"], status["lower_bound"], status["upper_bound"]) == ("optimal", 31, 31)
    certificate = tilework("certificate", job).out
    assert tilework("verify -", stdin=certificate).code == 0
    assert tilework("verify -", stdin=certificate.replace("31", "30")).code != 0
    long = tilework("submit --time-limit 600", HARD_5X5).out.strip()
    assert tilework("cancel --json", long).json["state"] == "cancelled"
    assert "\n3\t3\t" in tilework("stats").out


def test_maintenance_commands(tilework: Run, program: Run, tmp_path: Path) -> None:
    assert tilework("db upgrade").code == 0
    assert tilework("db check").code == 0
    key = dict(line.split() for line in tilework("keys create ci").out.splitlines())
    assert key["id"] in tilework("keys list").out
    assert tilework("keys revoke", key["id"]).out.startswith(f"revoked {key['id']}")
    assert tilework("audit --json").json["damaged"] == 0
    assert tilework("db vacuum").code == 0
    copy = tmp_path / "copy"
    assert tilework("db backup", str(copy)).code == 0
    assert copy.stat().st_size
    assert tilework("db downgrade base").code == 0
    # Where this process has not opened a database.
    assert program("db", "restore", str(copy)).code == 0
    assert (tmp_path / "tilework.sqlite").stat().st_size
    assert "fault" in tilework("doctor --json").out
    tables = f"--databases {tmp_path / 'tables'}"
    assert tilework("pdb build 3x2-5", tables).out.startswith("3x2-5 built in ")
    assert tilework("pdb verify", tables).out == "3x2-5 all entries are correct\n"
    assert "3x2-5\t11872\tbuilt\n" in tilework("pdb list", tables).out


def test_long_running_commands_have_help(tilework: Run) -> None:
    # The site of these tests runs up, web and several workers.
    for command in ("up", "web", "worker"):
        assert f" {command} [OPTIONS]" in tilework(command, "--help").out
