"""The options of a job, shared by forms, the API, batches, jobs and their rows.

Field names, limits and descriptions are those of the API.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from tilework.core.errors import OptionError
from tilework.core.messages import Message
from tilework.core.model.farm.solves import SearchConfig
from tilework.core.model.search_names import ALGORITHM_NAMES, HEURISTIC_NAMES
from tilework.core.model.states import Priority
from tilework.core.model.views import is_absent
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind
from tilework.core.validation import custom_error

__all__ = [
    "Algorithm",
    "Heuristic",
    "JobOptions",
    "Metric",
    "TargetKind",
]
"""These are the only names of the solver that the web uses."""

# Jobs have few different targets and configurations, which are read many times.
_make_target = lru_cache(Target)
_make_config = lru_cache(SearchConfig)


_TEXTBOOK: Final = frozenset({*ALGORITHM_NAMES, *HEURISTIC_NAMES} - {*Algorithm, *Heuristic})


def _refuse_textbook(name: object) -> object:
    if isinstance(name, str) and name in _TEXTBOOK:
        raise OptionError(
            "textbook-search",
            "{name!r} belongs to the textbook searches, which are not jobs; use /comparisons, also "
            "for a single method",
            name=name,
        )
    return name


class JobOptions(BaseModel):
    """The goal of a search, its time limit, and how to search."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_serialization_defaults_required=True
    )

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
        exclude_if=is_absent,
        ge=0,
        allow_inf_nan=False,
        description="With the target gap: the largest acceptable (upper - lower) / lower.",
    )
    time_limit_s: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    algorithm: Annotated[Algorithm, BeforeValidator(_refuse_textbook)] = Algorithm.AUTO
    heuristic: Annotated[Heuristic, BeforeValidator(_refuse_textbook)] = Heuristic.AUTO
    priority: Priority = Field(
        default=Priority.NORMAL,
        description="Which of your own waiting jobs are searched first. It does not affect other "
        "clients.",
    )

    @model_validator(mode="after")
    def _check_gap(self) -> Self:
        if (self.target is TargetKind.GAP) != (self.gap is not None):
            raise custom_error(Message("gap", "gap is given with the target 'gap', and only there"))
        return self

    @property
    def parsed_target(self) -> Target:
        """The target with its gap."""
        return _make_target(self.target, self.gap or 0.0)

    @property
    def config(self) -> SearchConfig:
        return _make_config(self.algorithm, self.heuristic)
