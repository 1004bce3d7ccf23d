"""The lab's algorithms and heuristics as rows and as JSON."""

from __future__ import annotations

from typing import Any

from tilework.core.cli.language import say_words, word
from tilework.core.cli.tables import yes_or_no
from tilework.core.lab.method import DEFAULT_METHODS
from tilework.core.lab.names import ALGORITHMS, HEURISTICS, AlgorithmFacts, Parameter, Promise

ALGORITHM_COLUMNS = {
    "algorithm": word("algorithm"),
    "complete": word("complete"),
    "optimal": word("optimal"),
    "takes": word("takes"),
}
HEURISTIC_COLUMNS = {
    "heuristic": word("heuristic"),
    "title": word("title"),
    "admissible": word("admissible"),
    "consistent": word("consistent"),
}

_OPTIMAL = {
    Promise.ALWAYS: word("yes"),
    Promise.ADMISSIBLE: word("if admissible"),
    Promise.CONSISTENT: word("if consistent"),
    Promise.NEVER: word("no"),
}
_PARAMETERS = {
    Parameter.WEIGHT: word("weight"),
    Parameter.WIDTH: word("width"),
}


def algorithm_rows() -> list[list[str]]:
    """Return a row for each algorithm."""
    return [
        [name, yes_or_no(facts.complete), say_words(_OPTIMAL[facts.optimal]), _taken(facts)]
        for name, facts in ALGORITHMS.items()
    ]


def heuristic_rows() -> list[list[str]]:
    """Return a row for each heuristic."""
    return [
        [name, say_words(facts.title), yes_or_no(facts.admissible), yes_or_no(facts.consistent)]
        for name, facts in HEURISTICS.items()
    ]


def catalogue_document() -> dict[str, Any]:
    """Return both by the names that the HTTP interface has."""
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
    taken = [HEURISTIC_COLUMNS["heuristic"]] if facts.informed else []
    if facts.parameter is not None:
        taken.append(_PARAMETERS[facts.parameter])
    return ", ".join(map(say_words, taken))
