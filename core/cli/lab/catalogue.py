"""The lab's algorithms and heuristics as rows and as JSON."""

from __future__ import annotations

from typing import Any

from core.lab.names import ALGORITHMS, HEURISTICS, AlgorithmFacts, Promise

ALGORITHM_COLUMNS = ("algorithm", "complete", "optimal", "takes")
HEURISTIC_COLUMNS = ("heuristic", "title", "admissible", "consistent")

_OPTIMAL = {
    Promise.ALWAYS: "yes",
    Promise.ADMISSIBLE: "if admissible",
    Promise.CONSISTENT: "if consistent",
    Promise.NEVER: "no",
}


def algorithm_rows() -> list[list[str]]:
    """Return a row for each algorithm."""
    return [
        [name, _yes(facts.complete), _OPTIMAL[facts.optimal], _taken(facts)]
        for name, facts in ALGORITHMS.items()
    ]


def heuristic_rows() -> list[list[str]]:
    """Return a row for each heuristic."""
    return [
        [name, facts.title, _yes(facts.admissible), _yes(facts.consistent)]
        for name, facts in HEURISTICS.items()
    ]


def catalogue_document() -> dict[str, Any]:
    """Return both by the names that the HTTP interface has."""
    from core.lab.method import DEFAULT_METHODS

    return {
        "algorithms": [
            {
                "name": name.value,
                "title": facts.title,
                "informed": facts.informed,
                "complete": facts.complete,
                "optimal": facts.optimal.value,
                "parameter": None if facts.parameter is None else facts.parameter.value,
            }
            for name, facts in ALGORITHMS.items()
        ],
        "heuristics": [
            {
                "name": name.value,
                "title": facts.title,
                "admissible": facts.admissible,
                "consistent": facts.consistent,
            }
            for name, facts in HEURISTICS.items()
        ],
        "default_methods": [method.text for method in DEFAULT_METHODS],
    }


def _taken(facts: AlgorithmFacts) -> str:
    taken = ["heuristic"] if facts.informed else []
    if facts.parameter is not None:
        taken.append(facts.parameter)
    return ", ".join(taken)


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
