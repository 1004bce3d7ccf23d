"""Counting slides."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from tilework.core.puzzle import slides
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.slides import slides_in


@pytest.mark.parametrize(
    ("letters", "count"), [("", 0), ("L", 1), ("LLL", 1), ("LLUULL", 3), ("LRLR", 4)]
)
def test_runs_of_one_direction(letters: str, count: int) -> None:
    assert slides_in(from_letters(letters)) == count


def test_runs_that_go_on_in_the_next_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = np.random.default_rng(1).integers(0, 3, 5_000, dtype=np.uint8)
    expected = len(list(groupby(moves.tolist())))
    for piece in (1, 2, 7, 5_000):
        monkeypatch.setattr(slides, "_PIECE", piece)
        assert slides_in(moves) == expected
