"""Every way to give the command a board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilework.core.cli.main import main

Run = Callable[..., Any]

BOARD = "0 1 3 4 2 5 7 8 6"
SOLUTION = "LULU\n"


@pytest.mark.parametrize(
    "words",
    [
        ["0 1 3 4 2 5 7 8 6"],
        ["0", "1", "3", "4", "2", "5", "7", "8", "6"],
        ["0 1 3 /", "4 2 5 /", "7 8 6"],
        ["0,1,3,4,2,5,7,8,6"],
        ["(0 1 3 4 2 5 7 8 6)"],
        ["[[0,1,3],[4,2,5],[7,8,6]]"],
        ["x 1 3 4 2 5 7 8 6"],
    ],
)
def test_words(tilework: Run, words: list[str]) -> None:
    assert tilework("solve", *words).out == SOLUTION


def test_a_text_file(tilework: Run, tmp_path: Path) -> None:
    file = tmp_path / "puzzle04.txt"
    file.write_text("3\n 0  1  3\n 4  2  5\n 7  8  6\n")
    assert tilework("solve", str(file)).out == SOLUTION


def test_a_file_whose_name_is_a_number(
    tilework: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "8").write_text(BOARD)
    assert tilework("solve", "8").out == SOLUTION


def test_a_numpy_file(tilework: Run, tmp_path: Path) -> None:
    file = tmp_path / "board.npy"
    np.save(file, np.array([[0, 1, 3], [4, 2, 5], [7, 8, 6]], dtype=np.int32))
    assert tilework("solve", str(file)).out == SOLUTION


@pytest.mark.parametrize("arguments", [["solve", "-"], ["solve"], ["check", "-"]])
def test_standard_input(tilework: Run, arguments: list[str]) -> None:
    done = tilework(*arguments, stdin="3\n0 1 3\n4 2 5\n7 8 6\n")
    assert done.code == 0
    assert done.out == SOLUTION if arguments[0] == "solve" else "solvable           yes" in done.out


def test_the_width_of_a_rectangle(tilework: Run) -> None:
    assert tilework("solve 1 2 3 4 0 5 --width 3").out == "L\n"
    assert tilework("solve 3x2: 1 2 3 4 0 5").out == "L\n"


def test_a_rectangle_needs_its_width(tilework: Run) -> None:
    done = tilework("solve 1 2 3 4 0 5")
    assert done.code == 2
    assert "4x3:" in done.err


def test_a_file_that_is_not_there(tilework: Run) -> None:
    done = tilework("solve", "puzzle04.txt")
    assert done.code == 2
    assert done.err == ("tilework: there is no file 'puzzle04.txt', and it is not a board either\n")


def test_a_folder(tilework: Run, tmp_path: Path) -> None:
    done = tilework("check", str(tmp_path))
    assert done.code == 2
    assert "Is a directory" in done.err


def test_a_file_that_is_no_text(tilework: Run, tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\xff\xfe")
    done = tilework("check", str(file))
    assert done.code == 2
    assert "is not a text file" in done.err


def test_a_bad_tile_is_quoted(tilework: Run) -> None:
    done = tilework("check 1 2 3 4 5 6 7 8 A")
    assert done.code == 2
    assert "'A'" in done.err


@pytest.mark.parametrize("board", ["1 2 three 0", "1,2,three,0", "[[1,2],[three,0]]"])
def test_a_bad_tile_of_a_quoted_board_is_quoted(
    board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["check", board])
    assert "'three'" in capsys.readouterr().err


def test_nothing_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["check", ""])
    assert "contains no board" in capsys.readouterr().err


def test_a_board_longer_than_a_file_name(capsys: pytest.CaptureFixture[str]) -> None:
    board = ",".join(map(str, [*range(1, 40 * 40), 0]))
    with pytest.raises(SystemExit, match="0"):
        main(["check", board])
    assert "manhattan    0" in capsys.readouterr().out
