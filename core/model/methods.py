"""What a job may be asked to search with: the solver's algorithms, and the textbook's.

Some names are both the solver's and the lab's. A pair of names means the lab's search where one of
them is the lab's alone, as in ``greedy`` or ``a-star`` with ``hamming``; else the solver's. The
lab's own ``a-star``, ``ida-star`` and ``beam`` are also called ``lab-a-star`` and so on.
"""

from __future__ import annotations

from typing import Final

from tilework.core.errors import OptionError
from tilework.core.lab.method import Method
from tilework.core.lab.names import (
    ALGORITHMS,
    PUBLISHED,
    PUBLISHED_NAMES,
    LabAlgorithm,
    LabHeuristic,
)
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, Target

PREFIX: Final = "lab-"
"""What the lab's algorithms begin with whose names the solver has too."""

_SOLVERS: Final = frozenset(map(str, Algorithm))
_ESTIMATES: Final = frozenset(map(str, Heuristic))
_METHODS: Final = {
    f"{PREFIX}{name}" if name in _SOLVERS else str(name): name for name in LabAlgorithm
}

ALGORITHM_NAMES: Final = (*map(str, Algorithm), *_METHODS)
"""All algorithms of jobs."""

HEURISTIC_NAMES: Final = (
    *map(str, Heuristic),
    *(str(name) for name in LabHeuristic if name not in _ESTIMATES),
)
"""All heuristics of jobs."""


def method_of(
    algorithm: str, heuristic: str, weight: float | None = None, width: int | None = None
) -> Method | None:
    """Return the textbook search that names stand for; None where they are the solver's.

    Parameters
    ----------
    heuristic : str
        With ``auto`` an informed search has the lab's usual one. A name that it has in the
        published program means that program's search, where no algorithm is named.
    weight, width : float, int or None
        Of the two searches that take one.

    Raises
    ------
    OptionError
        For a name that is not offered, names that do not go together, or a number that the
        algorithm does not take.
    """
    _check(algorithm, heuristic)
    chosen = _METHODS.get(algorithm)
    if chosen is None:
        if heuristic in _ESTIMATES:
            _check_unused(algorithm, weight, width)
            return None
        published = algorithm == Algorithm.AUTO and heuristic in PUBLISHED_NAMES.values()
        chosen = PUBLISHED if published else _of_the_lab(algorithm, heuristic)
    return Method.of(chosen, None if heuristic == Heuristic.AUTO else heuristic, weight, width)


def solvers_names(algorithm: str, heuristic: str) -> tuple[Algorithm, Heuristic]:
    """Return names that `method_of` found to be the solver's."""
    return Algorithm(algorithm), Heuristic(heuristic)


def limit_unused(algorithm: str, name: str) -> OptionError:
    """Return the error for a limit that only textbook searches have."""
    return OptionError(
        "limit-unused",
        "{algorithm} takes no {name}; only textbook searches do",
        algorithm=algorithm,
        name=name,
    )


def check_target(algorithm: str, target: Target) -> None:
    """Refuse a target that a textbook search is given.

    Raises
    ------
    OptionError
    """
    if target != Target():
        raise OptionError(
            "target-unused",
            "{algorithm} takes no target: it stops when its search ends; omit the target {target}",
            algorithm=algorithm,
            target=target.kind,
        )


def heuristic_name(method: Method) -> str:
    """Return a method's heuristic as a job names it: ``auto`` of one that uses none."""
    return Heuristic.AUTO if method.heuristic is None else method.heuristic


def is_textbook(algorithm: str, heuristic: str) -> bool:
    """Whether names of a job stand for a search of the lab."""
    return algorithm in _METHODS or heuristic not in _ESTIMATES


def _check(algorithm: str, heuristic: str) -> None:
    names = (
        (algorithm, ALGORITHM_NAMES, ()),
        (heuristic, HEURISTIC_NAMES, PUBLISHED_NAMES.values()),
    )
    for text, offered, published in names:
        if text not in offered and text not in published:
            raise OptionError(
                "choice",
                "{text!r} is not available; choose from {offered}",
                text=text[:40],
                offered=", ".join(offered),
            )


def _of_the_lab(algorithm: str, heuristic: str) -> LabAlgorithm:
    """Return the lab's algorithm of a name that the solver has too."""
    chosen = _METHODS.get(f"{PREFIX}{algorithm}")
    if chosen is None:
        informed = [name for name, one in _METHODS.items() if ALGORITHMS[one].informed]
        raise OptionError(
            "lab-heuristic-only",
            "{heuristic} works only with textbook searches, and {algorithm} is not one; choose "
            "from {offered}",
            heuristic=heuristic,
            algorithm=algorithm,
            offered=", ".join(informed),
        )
    return chosen


def _check_unused(algorithm: str, weight: float | None, width: int | None) -> None:
    if weight is not None:
        raise OptionError(
            "weight-unused",
            "{algorithm} takes no weight; omit {weight:g}",
            algorithm=algorithm,
            weight=weight,
        )
    if width is not None:
        raise OptionError(
            "width-unused",
            "{algorithm} takes no width; omit {width}",
            algorithm=algorithm,
            width=width,
        )


def check_metric(metric: Metric, algorithm: str, heuristic: str) -> None:
    """Refuse names of a search for few moves where few slides are asked for.

    Raises
    ------
    OptionError
    """
    if metric is Metric.MOVES:
        return
    for name in (algorithm, heuristic):
        if name != Algorithm.AUTO:
            raise OptionError(
                "metric-method",
                "{name!r} counts moves; omit it, or use the metric 'moves' instead of {metric!r}",
                name=name[:40],
                metric=metric.value,
            )
