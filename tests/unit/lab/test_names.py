"""The catalogue of names is whole, and its promises do not contradict each other."""

from __future__ import annotations

from tilework.core.lab.names import (
    ALGORITHMS,
    HEURISTICS,
    LabAlgorithm,
    LabHeuristic,
    Parameter,
    Promise,
)


def test_every_name_has_its_facts() -> None:
    assert list(ALGORITHMS) == list(LabAlgorithm)
    assert list(HEURISTICS) == list(LabHeuristic)


def test_titles_tell_apart() -> None:
    assert len({facts.title for facts in ALGORITHMS.values()}) == len(ALGORITHMS)
    assert len({facts.title for facts in HEURISTICS.values()}) == len(HEURISTICS)


def test_names_can_be_written_in_an_address() -> None:
    for name in (*LabAlgorithm, *LabHeuristic):
        assert name == name.lower()
        assert name.replace("-", "").isalpha()


def test_only_what_asks_a_heuristic_depends_on_it() -> None:
    for facts in ALGORITHMS.values():
        if facts.optimal in (Promise.ADMISSIBLE, Promise.CONSISTENT):
            assert facts.informed
        if facts.parameter is not None:
            assert facts.informed


def test_what_promises_a_shortest_solution_finds_one() -> None:
    for facts in ALGORITHMS.values():
        assert facts.complete or facts.optimal is Promise.NEVER


def test_a_consistent_heuristic_is_admissible() -> None:
    for facts in HEURISTICS.values():
        assert facts.admissible or not facts.consistent


def test_each_parameter_has_an_algorithm() -> None:
    assert {facts.parameter for facts in ALGORITHMS.values()} == {None, *Parameter}
