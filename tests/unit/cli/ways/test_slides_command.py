"""``tilework slides``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support import naive

Run = Callable[..., Any]

FARTHEST = "8 6 7 2 5 4 3 0 1"


def test_the_fewest_slides(tilework: Run) -> None:
    done = tilework(f"slides {FARTHEST}")
    assert done.code == 0
    assert sum(letter.isalpha() for letter in done.out) == 20
    assert "20 slides, proved fewest" in done.err
    assert "20 movimentos" not in tilework(f"slides {FARTHEST} --lang pt").err


def test_json(tilework: Run) -> None:
    told = tilework(f"slides --json {FARTHEST}").json
    assert (told["slides"], told["lower_bound"], told["optimal"]) == (20, 20, True)
    tiles = tuple(map(int, FARTHEST.split()))
    assert naive.played(tiles, 3, told["moves"]) == naive.solved(3, 3)
    assert told["length"] == len(told["moves"])


def test_another_goal_and_what_cannot_be(tilework: Run) -> None:
    assert tilework("slides 1 2 3 8 4 0 7 6 5 --goal spiral").code == 0
    assert tilework("slides 1 2 3 4 5 6 8 7 0").code == 1
    assert tilework("slides 1 2 3 4 5 6 8 8 0").code == 2
