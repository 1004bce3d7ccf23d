"""Methods as words, and the words that are none."""

from __future__ import annotations

import pytest

from tilework.core.errors import OptionError
from tilework.core.lab.method import DEFAULT_METHODS, MAX_WEIGHT, MAX_WIDTH, Method
from tilework.core.lab.names import (
    ALGORITHMS,
    HEURISTICS,
    LabAlgorithm,
    LabHeuristic,
    Parameter,
)

EVERY_PAIR = [
    Method.of(algorithm, heuristic)
    for algorithm, facts in ALGORITHMS.items()
    for heuristic in (HEURISTICS if facts.informed else [None])
]


@pytest.mark.parametrize("method", EVERY_PAIR, ids=lambda method: method.text)
def test_text_is_read_back(method: Method) -> None:
    assert Method.from_text(method.text) == method


@pytest.mark.parametrize(
    ("name", "heuristic"), [("h1", "hamming-blank"), ("h2", "manhattan"), ("h3", "mean-blank")]
)
def test_a_published_program_has_names_of_its_own(name: str, heuristic: str) -> None:
    assert Method.from_text(f"a-star-replace:{name}").text == f"a-star-replace:{heuristic}"
    assert Method.of("a-star", name) == Method.of("a-star", heuristic)
    with pytest.raises(OptionError, match="unknown heuristic 'h4'"):
        Method.of("a-star", "h4")


@pytest.mark.parametrize(
    "text",
    [
        "breadth-first",
        "a-star:manhattan",
        "a-star:pattern-database",
        "weighted-a-star:hamming:1.5",
        "weighted-a-star:hamming:1",
        "weighted-a-star:manhattan:100",
        "weighted-a-star:manhattan:1.0000001",
        "beam:sum:1",
        "beam:sum:100000",
    ],
)
def test_a_method_is_written_as_it_was_read(text: str) -> None:
    assert Method.from_text(text).text == text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("a-star", "a-star:manhattan"),
        (" ida-star ", "ida-star:manhattan"),
        ("weighted-a-star", "weighted-a-star:manhattan:2"),
        ("weighted-a-star:zero", "weighted-a-star:zero:2"),
        ("weighted-a-star:zero:3.0", "weighted-a-star:zero:3"),
        ("beam", "beam:manhattan:100"),
        ("beam:mean:7.0", "beam:mean:7"),
    ],
)
def test_what_is_left_out_is_filled_in(text: str, whole: str) -> None:
    assert Method.from_text(text).text == whole


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "unknown algorithm ''; choose from backtracking, "),
        ("dijkstra", "unknown algorithm 'dijkstra'"),
        ("A-Star", "unknown algorithm 'A-Star'"),
        ("a-star:euclid", "unknown heuristic 'euclid'; choose from zero, hamming, "),
        ("a-star:", "unknown heuristic ''"),
        ("breadth-first:manhattan", "breadth-first uses no heuristic; leave out 'manhattan'"),
        ("a-star:manhattan:2", "a-star takes no weight; leave out 2"),
        ("weighted-a-star:manhattan:0.5", "invalid weight 0.5; give 1 to 100"),
        ("weighted-a-star:manhattan:101", "invalid weight 101"),
        ("weighted-a-star:manhattan:0", "invalid weight 0"),
        ("weighted-a-star:manhattan:two", "'two' is not a number"),
        ("weighted-a-star:manhattan:nan", "'nan' is not a number"),
        ("weighted-a-star:manhattan:inf", "'inf' is not a number"),
        ("beam:manhattan:1.5", "invalid width 1.5"),
        ("beam:manhattan:0", "invalid width 0; give 1 to 100000"),
        ("beam:manhattan:100001", "invalid width 100001"),
        ("beam:manhattan:1e999", "'1e999' is not a number"),
        ("a-star:manhattan:2:3", "'a-star:manhattan:2:3' is not a method"),
    ],
)
def test_what_is_no_method_is_quoted(text: str, said: str) -> None:
    with pytest.raises(OptionError) as refusal:
        Method.from_text(text)
    assert str(refusal.value).startswith(said)


def test_long_nonsense_is_quoted_in_part() -> None:
    for text in ("x" * 10_000, "a-star:" + "y" * 10_000, "a:" * 10_000):
        with pytest.raises(OptionError) as refusal:
            Method.from_text(text)
        assert len(str(refusal.value)) < 600


def test_a_parameter_belongs_to_one_algorithm() -> None:
    with pytest.raises(OptionError, match="beam takes no weight; leave out 2"):
        Method.of("beam", weight=2)
    with pytest.raises(OptionError, match="weighted-a-star takes no width; leave out 5"):
        Method.of("weighted-a-star", width=5)
    with pytest.raises(OptionError, match="depth-first takes no width; leave out 5"):
        Method.of("depth-first", width=5)
    assert Method.of("beam", width=MAX_WIDTH).width == MAX_WIDTH
    assert Method.of("weighted-a-star", weight=MAX_WEIGHT).weight == MAX_WEIGHT


def test_titles_are_for_people() -> None:
    assert Method.of("breadth-first").title == "Breadth-first"
    assert Method.of("a-star", "linear-conflict").title == "A* · Linear conflict"
    assert Method.of("weighted-a-star", weight=1.5).title == "Weighted A* · Manhattan · 1.5"
    assert Method.of("beam", "zero", width=10).title == "Beam · Zero · 10"
    assert len({method.title for method in EVERY_PAIR}) == len(EVERY_PAIR)


@pytest.mark.parametrize(
    ("text", "promised"),
    [
        ("breadth-first", True),
        ("depth-first", False),
        ("a-star:manhattan", True),
        ("a-star:sum", False),
        ("a-star:hamming-blank", False),
        ("a-star-closed:manhattan", True),
        ("a-star-closed:mean-blank", False),
        ("a-star-replace:manhattan", False),
        ("ida-star:maximum", True),
        ("greedy:manhattan", False),
        ("weighted-a-star:manhattan:1", False),
        ("beam:manhattan:100000", False),
    ],
)
def test_a_shortest_solution_is_promised_where_both_allow_it(text: str, promised: bool) -> None:
    assert Method.from_text(text).promises_optimum is promised


def test_ten_different_methods_are_compared_where_nothing_is_said() -> None:
    assert len(set(DEFAULT_METHODS)) == len(DEFAULT_METHODS) == 10
    assert any(method.promises_optimum for method in DEFAULT_METHODS)


def test_every_parameter_is_filled_in_where_it_is_taken() -> None:
    for method in EVERY_PAIR:
        facts = ALGORITHMS[method.algorithm]
        assert (method.heuristic is not None) == facts.informed
        assert (method.weight is not None) == (facts.parameter is Parameter.WEIGHT)
        assert (method.width is not None) == (facts.parameter is Parameter.WIDTH)


def test_names_are_accepted_as_members_and_as_words() -> None:
    assert Method.of(LabAlgorithm.A_STAR, LabHeuristic.ZERO) == Method.of("a-star", "zero")
