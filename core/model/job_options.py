"""What is asked of an answer: one model for forms, the API, batches, jobs and their rows.

The names, the limits of values and their descriptions are those of the API.
"""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from tilework.core.lab.method import Method
from tilework.core.model.methods import (
    ALGORITHM_NAMES,
    HEURISTIC_NAMES,
    check_metric,
    find_method,
    unused_limit_error,
)
from tilework.core.model.solves import SearchConfig
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

__all__ = [
    "Algorithm",
    "Heuristic",
    "JobOptions",
    "MethodOptions",
    "Metric",
    "TargetKind",
    "one_of",
]
"""All that the web knows of the solver is among them."""

_WHOLE: Final = 2**53
_MEBIBYTE: Final = 1 << 20


def one_of(names: tuple[str, ...], **more: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": list(names)} | more)


class JobOptions(BaseModel):
    """When an answer is good enough, when it is wanted, and how to search."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    metric: Metric = Field(
        default=Metric.MOVES,
        description="What is to be few: `moves` of single tiles, or `slides`, in which tiles of a "
        "line that go together count once; then algorithm and heuristic are left out",
    )
    target: TargetKind = Field(default=TargetKind.OPTIMAL, description="What is good enough")
    gap: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="With the target gap: the largest (upper - lower) / lower that will do",
    )
    time_limit_s: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    algorithm: Annotated[
        str,
        one_of(
            ALGORITHM_NAMES,
            description="How to search. A pair of names of which one is the textbook searches' "
            "alone, as in `greedy` or `a-star` with `hamming`, asks for such a search by the lab. "
            "`lab-a-star`, `lab-ida-star` and `lab-beam` are textbook searches with any heuristic",
        ),
    ] = "auto"
    heuristic: Annotated[
        str,
        one_of(
            HEURISTIC_NAMES,
            description="How to estimate; with auto, a textbook search that asks has manhattan",
        ),
    ] = "auto"

    @model_validator(mode="after")
    def _gap_goes_with_its_target(self) -> Self:
        if (self.target is TargetKind.GAP) != (self.gap is not None):
            raise ValueError("gap is given with the target 'gap', and only there")
        return self

    @property
    def wanted(self) -> Target:
        """The target together with its gap."""
        return Target(self.target, self.gap or 0.0)

    @property
    def config(self) -> SearchConfig:
        return SearchConfig(self.algorithm, self.heuristic)

    def method(self) -> Method | None:
        """Return the textbook search that is asked for; None for the solver.

        Raises
        ------
        OptionError
            For names that are not offered or do not go together, or a number that the algorithm
            does not take.
        """
        check_metric(self.metric, self.algorithm, self.heuristic)
        return find_method(self.algorithm, self.heuristic)


class MethodOptions(JobOptions):
    """The same with what a textbook search takes besides."""

    weight: float | None = Field(
        default=None, allow_inf_nan=False, description="Of weighted-a-star, from 1 to 100"
    )
    beam_width: int | None = Field(
        default=None, lt=_WHOLE, description="Of lab-beam: boards kept of each level"
    )
    node_limit: int | None = Field(
        default=None, gt=0, lt=_WHOLE, description="Nodes that a textbook search may generate"
    )
    memory_limit_mb: int | None = Field(
        default=None,
        gt=0,
        lt=_WHOLE,
        description="What the nodes of a textbook search may take, in MiB",
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
