"""The runs of a comparison as records: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pydantic_core import to_json

from tilework.core.formats.csv_lines import csv_lines
from tilework.core.model.comparison_views import ComparisonView, RunView
from tilework.core.model.states import RunState
from tilework.core.search.limits import StopReason
from tilework.core.services.lab.vocabulary import LabAlgorithm, LabHeuristic
from tilework.web.api.documents import Document
from tilework.web.api.lab.comparison_documents import optimal_lengths
from tilework.web.api.lab.run_documents import (
    FlatTiles,
    flat_tiles,
    method_fields,
    statistic_fields,
)
from tilework.web.i18n import say


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
_TRUTH: Final = {None: None, True: "true", False: "false"}


def results_schema() -> dict[str, Any]:
    """Describe what ``json_pieces`` writes."""
    record = ResultDocument.model_json_schema(ref_template="#/components/schemas/{model}")
    # The description of a comparison's runs brings these.
    record.pop("$defs", None)
    return {"type": "array", "items": record}


def table(view: ComparisonView) -> Iterator[str]:
    """Yield CSV: a header and a line for each run.

    A board is its tiles, with its size before them where it is not square; truth values are written
    as in JSON.
    """
    size = view.goal.size
    head = "" if size.width == size.height else f"{size.width}x{size.height}: "

    def row(record: dict[str, Any]) -> list[object]:
        written = record | {
            "board": head + " ".join(map(str, record["board"])),
            "optimal": _TRUTH[record["optimal"]],
        }
        return [written[name] for name in _COLUMNS]

    return csv_lines(_COLUMNS, map(row, _records(view)))


def json_pieces(view: ComparisonView) -> Iterator[bytes]:
    """Yield an array with an object for each run."""
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
        "message": None if run.message is None else say(run.message),
        **method_fields(run),
        **statistic_fields(run),
    }


def _boards(view: ComparisonView) -> list[list[int]]:
    if view.sweep is not None:
        return [flat_tiles(board) for board in view.sweep.draw(view.goal)]
    return [] if view.start is None else [flat_tiles(view.start)]
