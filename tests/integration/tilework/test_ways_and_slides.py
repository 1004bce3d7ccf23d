"""`tilework.ways` and `tilework.slides`, as programs use them."""

from __future__ import annotations

from itertools import groupby, islice

import pytest

import tilework

FARTHEST = "8 6 7 / 2 5 4 / 3 0 1"


def test_all_ways() -> None:
    ways = tilework.ways(FARTHEST)
    assert ways
    assert (ways.length, ways.count, ways.lower_bound) == (31, 40, 31)
    first = next(iter(ways))
    assert tilework.Board.of(FARTHEST).moved(first) == ways.goal
    assert len(list(islice(ways, 50))) == 40
    assert ways.fewest_turns() in list(ways)
    assert len(ways.graph()["boards"]) == ways.boards
    assert ways.dot().startswith("digraph")


def test_a_limit_leaves_a_bound() -> None:
    ways = tilework.ways(FARTHEST, seconds=0)
    assert not ways
    assert ways.stopped_by == "time"
    with pytest.raises(ValueError, match="not all found"):
        ways.count  # noqa: B018


def test_fewest_slides() -> None:
    found = tilework.slides(FARTHEST)
    assert found.is_optimal
    assert found.moves is not None
    assert len(found) == len(list(groupby(found.moves))) == found.lower_bound == 20
    assert tilework.Board.of(FARTHEST).moved(found.moves) == found.goal
    assert sum(letter.isalpha() for letter in found.text()) == 20
    with pytest.raises(tilework.UnsolvableError):
        tilework.slides("1 2 3 / 4 5 6 / 8 7 0")
