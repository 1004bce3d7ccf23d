"""``tilework scramble``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


def test_the_same_seed_gives_the_same_board(tilework: Run) -> None:
    first = tilework("scramble 4 --seed 7")
    assert first.code == 0
    assert first.out == tilework("scramble 4 --seed 7").out
    assert first.out != tilework("scramble 4 --seed 8").out
    assert sorted(map(int, first.out.split())) == list(range(16))


def test_a_rectangle_says_its_size(tilework: Run) -> None:
    out = tilework("scramble 5x3 --seed 1").out
    assert out.startswith("5x3: ")
    assert json.loads(tilework("check --json", "-", stdin=out).out)["width"] == 5


@pytest.mark.parametrize("output", ["line", "grid", "json"])
@pytest.mark.parametrize("size", ["3", "4x2"])
def test_every_format_can_be_read_and_solved(tilework: Run, size: str, output: str) -> None:
    board = tilework("scramble", size, "--seed 3 --format", output).out
    assert tilework("solve -", stdin=board).code == 0


def test_many_boards_feed_solve_jsonl(tilework: Run) -> None:
    boards = tilework("scramble 3 --seed 5 --count 20").out
    assert len(set(boards.splitlines())) == 20
    done = tilework("solve --jsonl -", stdin=boards)
    assert done.code == 0
    assert len(done.out.splitlines()) == 20


def test_boards_are_solvable_for_the_goal_asked(tilework: Run) -> None:
    for seed in "0123456789":
        board = tilework("scramble 3 --goal spiral --seed", seed).out
        assert tilework("check - --goal spiral", stdin=board).code == 0


def test_a_walk_of_few_moves_stays_near(tilework: Run) -> None:
    board = tilework("scramble 4 --moves 5 --seed 2").out
    assert len(tilework("solve -", stdin=board).out.strip()) <= 5


@pytest.mark.parametrize("size", ["0", "x", "3x", "4x40000", "-", "3.5"])
def test_a_bad_size_is_quoted(tilework: Run, size: str) -> None:
    done = tilework("scramble", size)
    assert done.code == 2
    assert repr(size) in done.err
