import pytest

from tilework.core.errors import OptionError
from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_METHODS,
    HEURISTICS,
    Method,
    Parameter,
)

EVERY_PAIR = [
    Method.of(algorithm, heuristic)
    for algorithm, facts in ALGORITHMS.items()
    for heuristic in (HEURISTICS if facts.informed else [None])
]


def test_text_of_every_method_is_parsed_back() -> None:
    for method in EVERY_PAIR:
        assert Method.from_text(method.text) == method
        facts = ALGORITHMS[method.algorithm]
        assert (method.heuristic is not None) == facts.informed
        assert (method.weight is not None) == (facts.parameter is Parameter.WEIGHT)
        assert (method.width is not None) == (facts.parameter is Parameter.WIDTH)
    assert len({method.title for method in EVERY_PAIR}) == len(EVERY_PAIR)
    assert Method.of("weighted-a-star", weight=1.5).title == "Weighted A* · Manhattan · 1.5"
    assert len(set(DEFAULT_METHODS)) == len(DEFAULT_METHODS) == 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a-star", "a-star:manhattan"),
        (" ida-star ", "ida-star:manhattan"),
        ("a-star-replace:h1", "a-star-replace:hamming-blank"),
        ("a-star-replace:h3", "a-star-replace:mean-blank"),
        ("weighted-a-star", "weighted-a-star:manhattan:2"),
        ("weighted-a-star:zero:3.0", "weighted-a-star:zero:3"),
        ("weighted-a-star:manhattan:1.0000001", "weighted-a-star:manhattan:1.0000001"),
        ("weighted-a-star:manhattan:100", "weighted-a-star:manhattan:100"),
        ("beam", "beam:manhattan:100"),
        ("beam:sum:100000", "beam:sum:100000"),
    ],
)
def test_defaults_are_filled_in(text: str, expected: str) -> None:
    assert Method.from_text(text).text == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown algorithm ''; choose from backtracking, "),
        ("a-star:h4", "unknown heuristic 'h4'; choose from zero, hamming, "),
        ("breadth-first:manhattan", "breadth-first uses no heuristic; omit 'manhattan'"),
        ("a-star:manhattan:2", "a-star takes no weight; omit 2"),
        ("weighted-a-star:manhattan:0.5", "invalid weight 0.5; use 1 to 100"),
        ("weighted-a-star:manhattan:101", "invalid weight 101"),
        ("weighted-a-star:manhattan:nan", "'nan' is not a number"),
        ("beam:manhattan:1.5", "invalid width 1.5"),
        ("beam:manhattan:0", "invalid width 0; use 1 to 100000"),
        ("beam:manhattan:100001", "invalid width 100001"),
        ("a-star:manhattan:2:3", "'a-star:manhattan:2:3' is not a method"),
        ("a-star:" + "y" * 10_000, "unknown heuristic 'yyy"),
    ],
)
def test_invalid_method_is_quoted(text: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        Method.from_text(text)
    assert str(error.value).startswith(message)
    assert len(str(error.value)) < 600


def test_optimum_is_guaranteed_if_algorithm_and_heuristic_allow_it() -> None:
    for text in ("breadth-first", "a-star:manhattan", "a-star-closed:mean", "ida-star:maximum"):
        assert Method.from_text(text).guarantees_optimum
    for text in ("depth-first", "a-star:sum", "a-star-closed:mean-blank", "a-star-replace", "beam"):
        assert not Method.from_text(text).guarantees_optimum
