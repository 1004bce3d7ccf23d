"""The API's documents of a comparison: the request, the state of each run, their records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from pydantic import Field, computed_field
from pydantic_core import to_json

from tilework.core.formats.csv_lines import result_lines
from tilework.core.model.comparisons import RunView
from tilework.core.model.runs import ComparisonView
from tilework.core.model.states import RunState
from tilework.core.search.limits import StopReason
from tilework.core.services.jobs.document import API_ROOT, Seconds
from tilework.core.services.lab.vocabulary import LabAlgorithm, LabHeuristic
from tilework.web.api.documents import Document
from tilework.web.api.lab.run_documents import (
    FlatTiles,
    RunDocument,
    WindowDocument,
    flat_tiles,
    limit_fields,
    method_fields,
    run_document,
    statistic_fields,
)
from tilework.web.i18n import translate


class SweepDocument(Document):
    """How the boards of a comparison were drawn."""

    width: int
    height: int
    boards: int
    moves: int
    seed: int


class ComparisonDocument(Document):
    """A comparison and its runs, in the order of the boards, then of the methods."""

    id: str
    state: Literal["running", "finished", "cancelled"]
    width: int
    height: int
    board: FlatTiles | None = Field(description="null of a sweep")
    goal: FlatTiles
    sweep: SweepDocument | None
    methods: list[str] = Field(examples=[["a-star:manhattan", "breadth-first"]])
    time_limit_s: float
    node_limit: int
    memory_limit_mb: int
    trace: WindowDocument | None = Field(description="Which steps of each run are kept")
    created_at: Seconds
    total: int = Field(description="How many runs there are", examples=[10])
    unfinished: int = Field(description="Runs that wait or are under way", examples=[3])
    version: str
    runs: list[RunDocument]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """Addresses that belong to the comparison."""
        address = comparison_address(self.id)
        return {
            "self": address,
            "csv": f"{address}/results?format=csv",
            "json": f"{address}/results?format=json",
        }


def comparison_document(view: ComparisonView) -> ComparisonDocument:
    size = view.goal.size
    sweep = view.sweep
    lengths = optimal_lengths(view)
    return ComparisonDocument.model_validate(
        limit_fields(view.limits)
        | {
            "id": view.id,
            "state": _state(view),
            "width": size.width,
            "height": size.height,
            "board": None if view.start is None else flat_tiles(view.start),
            "goal": flat_tiles(view.goal),
            "sweep": None
            if sweep is None
            else SweepDocument(
                width=size.width,
                height=size.height,
                boards=sweep.boards,
                moves=sweep.moves,
                seed=sweep.seed,
            ),
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


def comparison_address(comparison_id: str) -> str:
    return f"{API_ROOT}/comparisons/{comparison_id}"


def _state(view: ComparisonView) -> Literal["running", "finished", "cancelled"]:
    if view.cancelled:
        return "cancelled"
    return "finished" if view.finished else "running"


class ResultDocument(Document):
    """One run, with its board; what is not known is null, or empty in CSV."""

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
    # The description of a comparison's runs brings these.
    record.pop("$defs", None)
    return {"type": "array", "items": record}


def table(view: ComparisonView) -> Iterator[str]:
    return result_lines(_COLUMNS, _records(view), view.goal.size)


def json_pieces(view: ComparisonView) -> Iterator[bytes]:
    before = b"["
    for record in _records(view):
        ordered = {name: record[name] for name in _COLUMNS}
        yield before + to_json(ordered, inf_nan_mode="null")
        before = b",\n"
    yield b"]\n" if before != b"[" else b"[]\n"


def _records(view: ComparisonView) -> Iterator[dict[str, Any]]:
    boards = _boards(view)
    lengths = optimal_lengths(view)
    for run in view.runs:
        yield _record(run, boards[run.board_index], lengths.get(run.board_index))


def _record(run: RunView, board: list[int], optimal_length: int | None) -> dict[str, Any]:
    return {
        "board_index": run.board_index,
        "board": board,
        "optimal_length": optimal_length,
        "state": run.state,
        "length": run.length,
        "optimal": run.optimal,
        "stopped_by": run.stopped_by,
        "message": None if run.message is None else translate(run.message),
        **method_fields(run),
        **statistic_fields(run),
    }


def _boards(view: ComparisonView) -> list[list[int]]:
    if view.sweep is not None:
        return [flat_tiles(board) for board in view.sweep.draw(view.goal)]
    return [] if view.start is None else [flat_tiles(view.start)]
