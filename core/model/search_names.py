"""The names by which users choose a search, of the solver or of the lab.

Some names belong to both. A pair of names means the lab's search if one of them exists only in the
lab, as in ``greedy``, or ``hamming`` with ``a-star`` or alone; otherwise the solver's. The lab's
own ``a-star``, ``ida-star`` and ``beam`` are also called ``lab-a-star`` and so on.
"""

from __future__ import annotations

from typing import Final

from tilework.core.arguments import not_available, quote
from tilework.core.errors import OptionError
from tilework.core.lab.methods import (
    ALGORITHMS,
    PUBLISHED,
    PUBLISHED_NAMES,
    LabAlgorithm,
    LabHeuristic,
    Method,
)
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, Target

_PREFIX: Final = "lab-"
"""Prefix of the lab's algorithms whose names also belong to the solver."""

_SOLVERS: Final = frozenset(map(str, Algorithm))
_ESTIMATES: Final = frozenset(map(str, Heuristic))
_METHODS: Final = {
    f"{_PREFIX}{name}" if name in _SOLVERS else str(name): name for name in LabAlgorithm
}

ALGORITHM_NAMES: Final = (*map(str, Algorithm), *_METHODS)
HEURISTIC_NAMES: Final = (
    *map(str, Heuristic),
    *(str(name) for name in LabHeuristic if name not in _ESTIMATES),
)


def find_method(algorithm: str, heuristic: str, target: Target) -> Method | None:
    """Return the textbook search of these names; None if they belong to the solver.

    Parameters
    ----------
    algorithm : str
        A textbook search may have its heuristic and its number: ``beam:manhattan:50``.
    heuristic : str
        With ``auto``, an informed search uses the lab's default. A name from the published program
        means that program's search, if no algorithm is named.
    target : Target
        A textbook search stops at its first solution, so it takes no other than the default.

    Raises
    ------
    OptionError
        If a name is unknown, names do not fit together, or the algorithm takes no target.
    """
    method = _find_method(algorithm, heuristic)
    if method is not None and target != Target():
        raise OptionError(
            "target-unused",
            "{algorithm} takes no target: it stops when its search ends; omit the target {target}",
            algorithm=algorithm,
            target=target.kind,
        )
    return method


def _find_method(algorithm: str, heuristic: str) -> Method | None:
    is_complete = isinstance(algorithm, str) and ":" in algorithm
    if is_complete:
        method = Method.from_text(algorithm)
        if heuristic != Heuristic.AUTO:
            raise OptionError(
                "heuristic-twice",
                "{algorithm} includes its heuristic; omit the heuristic {heuristic}",
                algorithm=method.text,
                heuristic=quote(heuristic),
            )
        return method
    _check(algorithm, heuristic)
    lab_algorithm = _METHODS.get(algorithm)
    if lab_algorithm is None:
        if heuristic in _ESTIMATES:
            return None
        published = algorithm == Algorithm.AUTO and heuristic in PUBLISHED_NAMES.values()
        lab_algorithm = PUBLISHED if published else _lab_algorithm(algorithm, heuristic)
    return Method.of(lab_algorithm, None if heuristic == Heuristic.AUTO else heuristic)


def _check(algorithm: str, heuristic: str) -> None:
    names = (
        (algorithm, ALGORITHM_NAMES, ()),
        (heuristic, HEURISTIC_NAMES, PUBLISHED_NAMES.values()),
    )
    for text, offered, published in names:
        if not isinstance(text, str) or (text not in offered and text not in published):
            raise not_available(text, offered)


def _lab_algorithm(algorithm: str, heuristic: str) -> LabAlgorithm:
    """Return the lab's algorithm of a name that the solver also has; A* if none is given."""
    if algorithm == Algorithm.AUTO:
        return LabAlgorithm.A_STAR
    lab_algorithm = _METHODS.get(f"{_PREFIX}{algorithm}")
    if lab_algorithm is None:
        informed = [name for name, lab_name in _METHODS.items() if ALGORITHMS[lab_name].informed]
        raise OptionError(
            "lab-heuristic-only",
            "{heuristic} works only with textbook searches, and {algorithm} is not one; choose "
            "from {choices}",
            heuristic=heuristic,
            algorithm=algorithm,
            choices=", ".join(informed),
        )
    return lab_algorithm


def check_shortens(method: Method | None, metric: Metric = Metric.MOVES) -> None:
    """Raise OptionError for a search that does not shorten a given solution."""
    if method is not None or metric is not Metric.MOVES:
        raise OptionError(
            "shorten-unused",
            "{name} does not shorten a solution; omit it, or the solution",
            name=metric.value if method is None else method.text,
        )
