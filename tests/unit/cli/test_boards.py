from pathlib import Path

import numpy as np
import pytest

from tests.support.cli.runner import Run

BOARD = "0 1 3 4 2 5 7 8 6"
SOLUTION = "LULU\n"


def test_board_as_arguments_or_standard_input(tilework: Run) -> None:
    for arguments in ([BOARD], ["0 1 3 /", "4 2 5 /", "7 8 6"], ["[[0,1,3],[4,2,5],[7,8,6]]"]):
        assert tilework("solve", *arguments).out == SOLUTION
    for arguments in (["solve", "-"], ["solve"]):
        assert tilework(*arguments, stdin="3\n0 1 3\n4 2 5\n7 8 6\n").out == SOLUTION


def test_board_files(tilework: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("puzzle04.txt").write_text("3\n 0  1  3\n 4  2  5\n 7  8  6\n")
    Path("8").write_text(BOARD)
    np.save("board.npy", np.array([[0, 1, 3], [4, 2, 5], [7, 8, 6]], dtype=np.int32))
    for name in ("puzzle04.txt", "8", "board.npy"):
        assert tilework("solve", name).out == SOLUTION
    Path("picture.png").write_bytes(b"\x89PNG\x00")
    for name, expected in {
        "nowhere.txt": "there is no file 'nowhere.txt', and it is not a board either",
        ".": "Is a directory",
        "picture.png": "is not a text file",
    }.items():
        result = tilework("check", name)
        assert result.code == 2
        assert expected in result.err


def test_board_longer_than_a_file_name(tilework: Run) -> None:
    board = ",".join(map(str, [*range(1, 40 * 40), 0]))
    assert "manhattan    0" in tilework("check", board).out


def test_endless_file(tilework: Run) -> None:
    for command in ("solve", "solve --jsonl", "verify", "analyse 1,2,3,0"):
        result = tilework(command, "/dev/zero")
        assert (result.code, "MiB" in result.err) == (2, True)
