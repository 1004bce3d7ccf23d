"""Which solutions are told to be shortest ones."""

from __future__ import annotations

import pytest

from tilework.core.lab.method import Method
from tilework.core.lab.verdict import is_optimal, proved_length

A_STAR = Method.of("a-star")
GREEDY = Method.of("greedy")
SUM = Method.of("a-star", "sum")


def test_a_method_that_promises_it_proves_the_length() -> None:
    assert proved_length([(GREEDY, 9), (A_STAR, 7), (SUM, 8)]) == 7


@pytest.mark.parametrize("runs", [[], [(GREEDY, 9), (SUM, 8)], [(A_STAR, None), (GREEDY, 9)]])
def test_nothing_else_does(runs: list[tuple[Method, int | None]]) -> None:
    assert proved_length(runs) is None


@pytest.mark.parametrize(
    ("method", "length", "proved", "told"),
    [
        (A_STAR, 7, None, True),
        (A_STAR, None, 7, None),
        (GREEDY, 7, 7, True),
        (GREEDY, 9, 7, False),
        (GREEDY, 9, None, None),
        (SUM, 7, None, None),
    ],
)
def test_what_is_told_of_a_run(
    method: Method, length: int | None, proved: int | None, told: bool | None
) -> None:
    assert is_optimal(method, length, proved) is told
