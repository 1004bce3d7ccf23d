"""``/lab``: the algorithms, heuristics and limits of the lab."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from flask import request
from flask_openapi import APIBlueprint, Tag
from pydantic import Field
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_METHODS,
    HEURISTICS,
    RUN_MEMORY_BYTES,
    Guarantee,
    LabAlgorithm,
    LabHeuristic,
    Parameter,
)
from tilework.core.links import API_ROOT
from tilework.core.model.comparisons import (
    MAX_RUN_NODES,
    MAX_RUN_SECONDS,
    MAX_RUNS,
    RUN_NODES,
    RUN_SECONDS,
)
from tilework.core.settings import Settings
from tilework.web.api.documents import Document, json_response
from tilework.web.api.operation_decorator import operation, poll_responses
from tilework.web.clients import services
from tilework.web.i18n import set_language_headers, translate_text
from tilework.web.limits import MEBIBYTE

_CACHE_CONTROL: Final = "public, max-age=300"

api = APIBlueprint("lab", __name__, url_prefix=f"{API_ROOT}/lab", abp_tags=[Tag(name="lab")])


class AlgorithmDocument(Document):
    """An algorithm and its guarantees."""

    name: LabAlgorithm
    title: str = Field(examples=["Weighted A*"])
    informed: bool = Field(description="Whether it uses a heuristic.")
    complete: bool = Field(
        description="Whether it solves every solvable board, given enough time and memory."
    )
    optimal: Guarantee = Field(
        description="When its solution is guaranteed to be shortest: always, with an admissible or "
        "a consistent heuristic, or never."
    )
    parameter: Parameter | None = Field(
        description="The parameter that a method with this algorithm ends with, or null: the "
        "weight in `weighted-a-star:manhattan:1.5`."
    )


class HeuristicDocument(Document):
    """A heuristic and its properties."""

    name: LabHeuristic
    title: str = Field(examples=["Manhattan"])
    admissible: bool = Field(description="Whether it never overestimates the distance.")
    consistent: bool = Field(description="Whether a move changes it by at most one.")


class LimitDocument(Document):
    """The default and the maximum of a limit."""

    default: int | float = Field(examples=[10])
    most: int | float = Field(examples=[60])


class LimitsDocument(Document):
    """The limits of each run."""

    time_limit_s: LimitDocument
    node_limit: LimitDocument = Field(description="The number of nodes generated.")
    memory_limit_mb: LimitDocument = Field(description="Memory in MiB.")


class LabDocument(Document):
    """The algorithms, heuristics and limits of the lab."""

    algorithms: list[AlgorithmDocument]
    heuristics: list[HeuristicDocument]
    default_methods: list[str] = Field(
        description="The methods that are compared by default.",
        examples=[["a-star:manhattan", "weighted-a-star:manhattan:2", "breadth-first"]],
    )
    limits: LimitsDocument
    max_cells: int = Field(description="The maximum number of cells of a board.", examples=[100])
    max_runs: int = Field(description="The maximum number of runs per comparison.", examples=[1000])


@operation(api.get, "", "readLab", poll_responses(LabDocument))
def lab() -> BaseResponse:
    """Retrieve the algorithms, heuristics and limits."""
    response = set_language_headers(
        json_response(_make_document(services().settings), Cache_Control=_CACHE_CONTROL)
    )
    response.add_etag()
    return response.make_conditional(request.environ)


def _make_document(settings: Settings) -> LabDocument:
    return LabDocument.model_validate(
        {
            "algorithms": [
                {"name": name, **asdict(facts), "title": translate_text(facts.title)}
                for name, facts in ALGORITHMS.items()
            ],
            "heuristics": [
                {"name": name, **asdict(facts), "title": translate_text(facts.title)}
                for name, facts in HEURISTICS.items()
            ],
            "default_methods": [method.text for method in DEFAULT_METHODS],
            "limits": {
                "time_limit_s": {"default": RUN_SECONDS, "most": MAX_RUN_SECONDS},
                "node_limit": {"default": RUN_NODES, "most": MAX_RUN_NODES},
                "memory_limit_mb": {
                    "default": RUN_MEMORY_BYTES // MEBIBYTE,
                    "most": settings.lab_max_memory_bytes // MEBIBYTE,
                },
            },
            "max_cells": settings.lab_max_cells,
            "max_runs": MAX_RUNS,
        }
    )
