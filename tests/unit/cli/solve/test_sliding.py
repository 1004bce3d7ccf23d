"""``tilework solve --metric slides``."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.support import naive

Run = Callable[..., Any]

FARTHEST = "8 6 7 2 5 4 3 0 1"


def test_the_moves_are_written_tile_by_tile(tilework: Run) -> None:
    done = tilework(f"solve --metric slides {FARTHEST}")
    assert done.code == 0
    moves = done.out.strip()
    assert len(list(groupby(moves))) == 20
    assert naive.played(tuple(map(int, FARTHEST.split())), 3, moves) == naive.solved(3, 3)
    assert done.err == ""


def test_lines_of_json_count_in_the_metric(tilework: Run, tmp_path: Path) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{FARTHEST}\n1 2 3 4 5 6 0 7 8\n1 2 3 4 5 6 8 7 0\n1 2\n")
    done = tilework(f"solve --metric slides --jsonl {boards}")
    first, second, unsolvable, none = map(json.loads, done.out.splitlines())
    assert (first["metric"], first["slides"], first["lower_bound"]) == ("slides", 20, 20)
    assert first["length"] == len(first["moves"]) > 20
    assert (second["slides"], second["length"], second["optimal"]) == (1, 2, True)
    assert "error" in unsolvable
    assert "error" in none
    assert done.code == 2


def test_json_tells_the_metric(tilework: Run) -> None:
    told = tilework(f"solve --metric slides --format json {FARTHEST}").json
    assert (told["metric"], told["lower_bound"], told["slides"]) == ("slides", 20, 20)
    assert told["optimal"]


def test_limits_leave_bounds_in_slides(tilework: Run) -> None:
    board = "8 11 4 7 5 0 1 9 2 10 6 3"
    done = tilework(f"solve --metric slides --node-limit 300 --width 4 {board}")
    assert done.code == 0
    assert "slides of" in done.err
    assert "not proved fewest: any solution has at least" in done.err
    anything = tilework(f"solve --metric slides --target any --width 4 {board}")
    assert "not proved fewest" in anything.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--algorithm beam", "'beam' counts moves; leave it out"),
        ("--heuristic manhattan", "'manhattan' counts moves"),
        ("--algorithm greedy", "'greedy' counts moves"),
        ("--memory-limit 5", "auto takes no --memory-limit"),
        ("--weight 2", "auto takes no weight"),
    ],
)
def test_options_of_searches_for_moves(tilework: Run, options: str, words: str) -> None:
    done = tilework(f"solve --metric slides {options} {FARTHEST}")
    assert done.code == 2
    assert words in done.err


def test_no_metric(tilework: Run) -> None:
    done = tilework(f"solve --metric hops {FARTHEST}")
    assert done.code == 2
    assert "'hops' is not one of 'moves', 'slides'" in done.err
