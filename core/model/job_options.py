"""The options of a job, shared by forms, the API, batches, jobs and their rows.

Field names, limits and descriptions are those of the API. Some names of algorithms and heuristics
belong to both the solver and the lab. A pair of names means the lab's search if one of them exists
only in the lab, as in ``greedy`` or ``a-star`` with ``hamming``; otherwise the solver's. The lab's
own ``a-star``, ``ida-star`` and ``beam`` are also called ``lab-a-star`` and so on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from tilework.core.errors import OptionError
from tilework.core.lab.method import Method
from tilework.core.lab.names import (
    ALGORITHMS,
    PUBLISHED,
    PUBLISHED_NAMES,
    LabAlgorithm,
    LabHeuristic,
)
from tilework.core.model.farm.solves import SearchConfig
from tilework.core.model.states import Priority
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

__all__ = [
    "Algorithm",
    "Heuristic",
    "JobOptions",
    "MethodOptions",
    "Metric",
    "TargetKind",
    "choice_schema",
]
"""These are the only names of the solver that the web uses."""

PREFIX: Final = "lab-"
"""Prefix of the lab's algorithms whose names also belong to the solver."""

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

_MAX_INTEGER: Final = 2**53
_MEBIBYTE: Final = 1 << 20

# Jobs have few different targets and configurations, which are read many times.
_make_target = lru_cache(Target)
_make_config = lru_cache(SearchConfig)


def choice_schema(names: tuple[str, ...], **more: str) -> WithJsonSchema:
    """Return the JSON schema of an enumeration."""
    return WithJsonSchema({"type": "string", "enum": list(names)} | more)


class JobOptions(BaseModel):
    """The goal of a search, its time limit, and how to search."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    metric: Metric = Field(
        default=Metric.MOVES,
        description="What to minimize: `moves` of single tiles, or `slides`, in which adjacent "
        "tiles that move together count as one. With `slides`, omit algorithm and heuristic.",
    )
    target: TargetKind = Field(
        default=TargetKind.OPTIMAL, description="Which solution is good enough."
    )
    gap: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="With the target gap: the largest acceptable (upper - lower) / lower.",
    )
    time_limit_s: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    algorithm: Annotated[
        str,
        choice_schema(
            ALGORITHM_NAMES,
            description="The algorithm. If the algorithm or the heuristic exists only as a "
            "textbook version, such as `greedy`, or `a-star` with `hamming`, the lab runs that "
            "search. `lab-a-star`, `lab-ida-star` and `lab-beam` are always textbook searches.",
        ),
    ] = "auto"
    heuristic: Annotated[
        str,
        choice_schema(
            HEURISTIC_NAMES,
            description="The heuristic. With auto, informed textbook searches use manhattan.",
        ),
    ] = "auto"

    priority: Priority = Field(
        default=Priority.NORMAL,
        description="Which of your own waiting jobs are searched first. It does not affect other "
        "clients, nor textbook searches, which run in the order of submission.",
    )

    @model_validator(mode="after")
    def _check_gap(self) -> Self:
        if (self.target is TargetKind.GAP) != (self.gap is not None):
            raise ValueError("gap is given with the target 'gap', and only there")
        return self

    @property
    def parsed_target(self) -> Target:
        """The target with its gap."""
        return _make_target(self.target, self.gap or 0.0)

    @property
    def config(self) -> SearchConfig:
        return _make_config(self.algorithm, self.heuristic)

    def method(self) -> Method | None:
        """Return the requested textbook search, or None for the solver.

        Raises OptionError for unknown or incompatible names, and for unused parameters.
        """
        check_metric(self.metric, self.algorithm, self.heuristic)
        return find_method(self.algorithm, self.heuristic)


class MethodOptions(JobOptions):
    """The options of a job, with the parameters and limits of textbook searches."""

    weight: float | None = Field(
        default=None,
        allow_inf_nan=False,
        description="For weighted-a-star: the weight, from 1 to 100.",
    )
    beam_width: int | None = Field(
        default=None, lt=_MAX_INTEGER, description="For lab-beam: the number of boards per level."
    )
    node_limit: int | None = Field(
        default=None,
        gt=0,
        lt=_MAX_INTEGER,
        description="For textbook searches: the maximum number of nodes to generate.",
    )
    memory_limit_mb: int | None = Field(
        default=None,
        gt=0,
        lt=_MAX_INTEGER,
        description="For textbook searches: the memory limit for nodes, in MiB.",
    )

    @property
    def memory_bytes(self) -> int | None:
        return None if self.memory_limit_mb is None else self.memory_limit_mb * _MEBIBYTE

    def method(self) -> Method | None:
        check_metric(self.metric, self.algorithm, self.heuristic)
        method = find_method(self.algorithm, self.heuristic, self.weight, self.beam_width)
        if method is None:
            for name in ("node_limit", "memory_limit_mb"):
                if getattr(self, name) is not None:
                    raise unused_limit_error(self.algorithm, name)
        return method


def find_method(
    algorithm: str, heuristic: str, weight: float | None = None, width: int | None = None
) -> Method | None:
    """Return the textbook search of these names; None if they belong to the solver.

    Parameters
    ----------
    heuristic : str
        With ``auto``, an informed search uses the lab's default. A name from the published program
        means that program's search, if no algorithm is named.
    weight, width : float, int or None
        The weight or the beam width of the two searches that have one.

    Raises
    ------
    OptionError
        If a name is unknown, names do not fit together, or the algorithm does not take a number.
    """
    _check(algorithm, heuristic)
    lab_algorithm = _METHODS.get(algorithm)
    if lab_algorithm is None:
        if heuristic in _ESTIMATES:
            _check_unused(algorithm, weight, width)
            return None
        published = algorithm == Algorithm.AUTO and heuristic in PUBLISHED_NAMES.values()
        lab_algorithm = PUBLISHED if published else _lab_algorithm(algorithm, heuristic)
    return Method.of(
        lab_algorithm, None if heuristic == Heuristic.AUTO else heuristic, weight, width
    )


def solver_names(algorithm: str, heuristic: str) -> tuple[Algorithm, Heuristic]:
    """Return the solver's enumeration members of names that are not the lab's."""
    return Algorithm(algorithm), Heuristic(heuristic)


def unused_limit_error(algorithm: str, name: str) -> OptionError:
    """Return the error for a limit that only textbook searches have."""
    return OptionError(
        "limit-unused",
        "{algorithm} takes no {name}; only textbook searches do",
        algorithm=algorithm,
        name=name,
    )


def check_target(algorithm: str, target: Target) -> None:
    """Raise OptionError if a textbook search is given a target."""
    if target != Target():
        raise OptionError(
            "target-unused",
            "{algorithm} takes no target: it stops when its search ends; omit the target {target}",
            algorithm=algorithm,
            target=target.kind,
        )


def heuristic_name(method: Method) -> str:
    """Return a method's heuristic under the name that jobs use: ``auto`` if it has none."""
    return Heuristic.AUTO if method.heuristic is None else method.heuristic


def is_textbook(algorithm: str, heuristic: str) -> bool:
    """Whether the names of a job mean a textbook search."""
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
                "{text!r} is not available; choose from {choices}",
                text=text[:40],
                choices=", ".join(offered),
            )


def _lab_algorithm(algorithm: str, heuristic: str) -> LabAlgorithm:
    """Return the lab's algorithm of a name that the solver also has."""
    lab_algorithm = _METHODS.get(f"{PREFIX}{algorithm}")
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
    """Raise OptionError if a method that counts moves is named for the metric slides."""
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
