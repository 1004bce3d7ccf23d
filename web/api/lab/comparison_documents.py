"""The API's documents of a comparison: the request, and the state of each run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, computed_field

from tilework.core.model.comparison_views import ComparisonView
from tilework.core.services.jobs.document import Seconds
from tilework.web.api.documents import API, Document
from tilework.web.api.lab.run_documents import (
    FlatTiles,
    RunDocument,
    WindowDocument,
    flat_tiles,
    limit_fields,
    run_document,
)


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
    """Return the document of a comparison."""
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
    """Return the proved optimal length of each board that has one, by the board's index."""
    return {
        run.board_index: run.length for run in view.runs if run.optimal and run.length is not None
    }


def comparison_address(comparison_id: str) -> str:
    """Path of a comparison."""
    return f"{API}/comparisons/{comparison_id}"


def _state(view: ComparisonView) -> Literal["running", "finished", "cancelled"]:
    if view.cancelled:
        return "cancelled"
    return "finished" if view.finished else "running"
