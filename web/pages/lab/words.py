"""Searches, heuristics and methods of the lab in the visitor's language, and their promises."""

from __future__ import annotations

from typing import NamedTuple

from flask_babel import format_decimal
from flask_babel import gettext as _

from tilework.core.services.lab.vocabulary import (
    ALGORITHMS,
    HEURISTICS,
    PSEUDOCODE,
    LabAlgorithm,
    LabHeuristic,
    Method,
    Moment,
    Promise,
)
from tilework.web.i18n import say_words


class CodeWords(NamedTuple):
    """A line of pseudocode in the visitor's language."""

    words: str
    depth: int
    moments: tuple[Moment, ...]


# A weight may have any number of digits, and tells two methods apart by all of them.
_IN_FULL = "#,##0.################"


def algorithm_names() -> dict[LabAlgorithm, str]:
    """What the searches are called."""
    return {name: say_words(facts.title) for name, facts in ALGORITHMS.items()}


def heuristic_names() -> dict[LabHeuristic, str]:
    """What the estimates are called."""
    return {name: say_words(facts.title) for name, facts in HEURISTICS.items()}


def method_title(method: Method) -> str:
    """The method for people: ``Weighted A* · Manhattan · 2``."""
    parts = [algorithm_names()[method.algorithm]]
    if method.heuristic is not None:
        parts.append(heuristic_names()[method.heuristic])
    for number in (method.weight, method.width):
        if number is not None:
            parts.append(str(format_decimal(number, _IN_FULL)))
    return " · ".join(parts)


def code_lines(algorithm: LabAlgorithm) -> list[CodeWords]:
    """The pseudocode of an algorithm, with what happens at each line."""
    return [
        CodeWords(say_words(one.words), one.depth, one.moments) for one in PSEUDOCODE[algorithm]
    ]


def promise_words(algorithm: LabAlgorithm) -> str:
    """What an algorithm promises, in a few words."""
    facts = ALGORITHMS[algorithm]
    words = {
        Promise.ALWAYS: _("always the shortest"),
        Promise.ADMISSIBLE: _("the shortest, if the heuristic is admissible"),
        Promise.CONSISTENT: _("the shortest, if the heuristic is consistent"),
        Promise.NEVER: _("a solution of any length"),
    }
    return words[facts.optimal] if facts.complete else str(_("may find none"))
