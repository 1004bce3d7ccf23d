"""``tilework check``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Run = Callable[..., Any]


def test_a_solvable_board(tilework: Run) -> None:
    done = tilework("check 8 1 3 4 0 2 7 6 5")
    assert done.code == 0
    facts = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    # The worked example of the Princeton assignment.
    assert facts["hamming"] == "5"
    assert facts["manhattan"] == "10"
    assert facts["solvable"] == "yes"
    assert facts["explanation"].startswith("Inversions")


def test_the_key_is_the_same_for_a_disguise(tilework: Run) -> None:
    board = tilework("check --json 8 1 3 4 0 2 7 6 5").json
    mirrored = tilework("check --json 8 4 7 1 0 6 3 2 5 --goal 1,4,7,2,5,8,3,6,0").json
    assert board["key"] == mirrored["key"]
    assert board["key"].startswith("3x3:")


def test_an_unsolvable_board(tilework: Run) -> None:
    done = tilework("check 1 2 3 4 5 6 8 7 0 --json")
    assert done.code == 1
    assert done.json["solvable"] is False
    assert done.json["key"] is None
    assert "odd" in done.json["explanation"]


def test_portuguese(tilework: Run) -> None:
    assert "ímpar" in tilework("check 1 2 3 4 5 6 8 7 0 --lang pt").out


def test_no_board(tilework: Run) -> None:
    done = tilework("check 1 2 3 3")
    assert done.code == 2
    assert done.err.startswith("tilework: ")
    assert "3" in done.err


def test_a_board_of_over_a_million_cells(tilework: Run, tmp_path: Path) -> None:
    side = 1001
    cells = np.arange(1, side * side + 1, dtype=np.int32)
    cells[-1] = 0
    cells[[0, 1, 2]] = cells[[1, 2, 0]]  # an even permutation
    np.save(tmp_path / "large.npy", cells.reshape(side, side))
    done = tilework("check --json", str(tmp_path / "large.npy"))
    assert done.code == 0
    assert done.json == {
        "width": side,
        "height": side,
        "solvable": True,
        "explanation": None,
        "hamming": 3,
        "manhattan": 4,
        "key": None,
    }
