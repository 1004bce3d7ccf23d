"""The API's response models for comparisons and their results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final, Literal

from pydantic import Field, computed_field
from pydantic_core import to_json

from tilework.core.formats.downloads import result_lines
from tilework.core.lab.methods import LabAlgorithm, LabHeuristic
from tilework.core.links import API_ROOT
from tilework.core.model.comparisons import ComparisonView
from tilework.core.model.states import RunState
from tilework.core.model.views import Seconds, list_tiles
from tilework.core.search.limits import StopReason
from tilework.web.api.documents import Document
from tilework.web.api.lab.run_documents import (
    FlatTiles,
    RunDocument,
    WindowDocument,
    limit_fields,
    run_document,
    run_fields,
)


class SweepDocument(Document):
    """How the boards of a sweep were generated."""

    width: int
    height: int
    boards: int
    moves: int
    seed: int


class ComparisonDocument(Document):
    """A comparison and its runs, ordered by board and then by method."""

    id: str
    state: Literal["running", "finished", "cancelled"]
    width: int
    height: int
    board: FlatTiles | None = Field(description="null for a sweep.")
    goal: FlatTiles
    sweep: SweepDocument | None
    methods: list[str] = Field(examples=[["a-star:manhattan", "breadth-first"]])
    time_limit_s: float
    node_limit: int
    memory_limit_mb: int
    trace: WindowDocument | None = Field(description="Which steps of each run are stored.")
    created_at: Seconds
    total: int = Field(description="The number of runs.", examples=[10])
    unfinished: int = Field(description="The number of runs that have not ended.", examples=[3])
    version: str
    runs: list[RunDocument]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """URLs of related resources."""
        url = comparison_url(self.id)
        return {
            "self": url,
            "csv": f"{url}/results?format=csv",
            "json": f"{url}/results?format=json",
        }


def comparison_document(view: ComparisonView) -> ComparisonDocument:
    size = view.goal.size
    lengths = optimal_lengths(view)
    return ComparisonDocument.model_validate(
        limit_fields(view.limits)
        | {
            "id": view.id,
            "state": view.state,
            "width": size.width,
            "height": size.height,
            "board": None if view.start is None else list_tiles(view.start),
            "goal": list_tiles(view.goal),
            "sweep": view.sweep
            and {"width": size.width, "height": size.height, **asdict(view.sweep)},
            "methods": [method.text for method in view.methods],
            "trace": view.window,
            "created_at": view.created_at,
            "total": len(view.runs),
            "unfinished": view.unfinished,
            "version": view.version,
            "runs": [run_document(run, lengths.get(run.board_index)) for run in view.runs],
        }
    )


def optimal_lengths(view: ComparisonView) -> dict[int, int]:
    return {
        run.board_index: run.length for run in view.runs if run.optimal and run.length is not None
    }


def comparison_url(comparison_id: str) -> str:
    return f"{API_ROOT}/comparisons/{comparison_id}"


class ResultDocument(Document):
    """One run, with its board. Unknown values are null in JSON and empty in CSV."""

    board_index: int
    board: FlatTiles
    optimal_length: int | None
    method: str
    algorithm: LabAlgorithm
    heuristic: LabHeuristic | None
    weight: float | None
    beam_width: int | None
    state: RunState
    length: int | None
    optimal: bool | None
    stopped_by: StopReason | None
    expanded: int | None
    generated: int | None
    visited: int | None
    frontier: int | None
    max_frontier: int | None
    duplicates: int | None
    depth: int | None
    branching: float | None
    seconds: float | None
    memory_bytes: int | None
    message: str | None


_COLUMNS: Final = tuple(ResultDocument.model_fields)


def results_schema() -> dict[str, Any]:
    record = ResultDocument.model_json_schema(ref_template="#/components/schemas/{model}")
    # The schema of a comparison already defines these, so they need not be repeated.
    record.pop("$defs", None)
    return {"type": "array", "items": record}


def format_table(view: ComparisonView) -> Iterator[str]:
    return result_lines(_COLUMNS, _list_records(view), view.goal.size)


def format_json(view: ComparisonView) -> Iterator[bytes]:
    separator = b"["
    for record in _list_records(view):
        fields = {name: record[name] for name in _COLUMNS}
        yield separator + to_json(fields, inf_nan_mode="null")
        separator = b",\n"
    yield b"]\n" if separator != b"[" else b"[]\n"


def _list_records(view: ComparisonView) -> Iterator[dict[str, Any]]:
    start = [] if view.start is None else [view.start]
    boards = start if view.sweep is None else view.sweep.draw(view.goal)
    tiles_by_board = [list_tiles(board) for board in boards]
    lengths = optimal_lengths(view)
    for run in view.runs:
        yield run_fields(run) | {
            "board_index": run.board_index,
            "board": tiles_by_board[run.board_index],
            "optimal_length": lengths.get(run.board_index),
        }
