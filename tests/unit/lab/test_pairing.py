"""Methods by pairs of names."""

from __future__ import annotations

import pytest

from tilework.core.errors import OptionError
from tilework.core.lab.pairing import methods_of


def test_every_pair_and_an_uninformed_algorithm_once() -> None:
    methods = methods_of(["a-star", "breadth-first", "greedy"], ["manhattan", "zero"])
    assert [method.text for method in methods] == [
        "a-star:manhattan",
        "a-star:zero",
        "breadth-first",
        "greedy:manhattan",
        "greedy:zero",
    ]


def test_what_is_left_out_is_filled_in() -> None:
    methods = methods_of(["weighted-a-star", "beam", "beam"])
    assert [method.text for method in methods] == [
        "weighted-a-star:manhattan:2",
        "beam:manhattan:100",
    ]


@pytest.mark.parametrize(
    ("algorithms", "heuristics", "said"),
    [
        (["a-stra"], [], "unknown algorithm 'a-stra'"),
        (["breadth-first"], ["manhatan"], "unknown heuristic 'manhatan'"),
    ],
)
def test_names_that_are_none(algorithms: list[str], heuristics: list[str], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        methods_of(algorithms, heuristics)
