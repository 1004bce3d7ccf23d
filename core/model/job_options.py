"""The options of a job, shared by forms, the API, batches, jobs and their rows.

Field names, limits and descriptions are those of the API.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from tilework.core.lab.method import Method
from tilework.core.model.farm.solves import SearchConfig
from tilework.core.model.method_names import (
    ALGORITHM_NAMES,
    HEURISTIC_NAMES,
    check_metric,
    find_method,
    unused_limit_error,
)
from tilework.core.model.states import Priority
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind
from tilework.core.validation import CUSTOM_ERROR

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
            raise PydanticCustomError(
                CUSTOM_ERROR, "gap is given with the target 'gap', and only there"
            )
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
