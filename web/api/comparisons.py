"""``/comparisons``: comparing methods on a board, or on the boards of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, Self

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import to_json

from tilework.core.formats.downloads import RUN_COLUMNS, run_lines
from tilework.core.lab.methods import Method
from tilework.core.lab.result import TraceWindow
from tilework.core.links import API_ROOT
from tilework.core.messages import Message
from tilework.core.model.comparisons import Comparison, ComparisonOptions, Sweep, check_cells
from tilework.core.model.views import Links, Seconds, list_tiles
from tilework.core.puzzle.board import Board, Size
from tilework.core.validation import custom_error
from tilework.web.api.documents import Document, Mebibytes, Tiles, json_response
from tilework.web.api.operation_decorator import operation, poll_responses, submission_responses
from tilework.web.api.polling import Since, Wait, accepted_response, poll_response, with_etag
from tilework.web.api.request_parsing import BoardFields, BoardInput, Id, parse_goal
from tilework.web.api.runs import RunDocument
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import set_language_headers


class ComparisonFields(ComparisonOptions, BoardFields):
    """The methods to compare, on one board or on the boards of a sweep.

    Give exactly one of board and sweep. Give methods, or algorithms and heuristics to be combined.
    By default, ten representative methods are compared.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"board": "8 1 3 4 0 2 7 6 5", "methods": ["a-star:manhattan", "breadth-first"]},
                {
                    "sweep": {"width": 3, "height": 3, "boards": 20, "moves": 60, "seed": 1},
                    "algorithms": ["a-star", "ida-star"],
                    "heuristics": ["manhattan", "linear-conflict"],
                },
            ]
        },
    )

    board: BoardInput = None

    @model_validator(mode="after")
    def _check_boards(self) -> Self:
        if (self.board is None) == (self.sweep is None):
            if self.board is None:
                message = Message("neither-board-nor-sweep", "give either board or sweep")
            else:
                message = Message("board-and-sweep-fields", "give either board or sweep, not both")
            raise custom_error(message)
        if self.sweep is not None and self.width is not None:
            message = Message(
                "width-of-sweep", "width applies to a flat board; a sweep has its own width"
            )
            raise custom_error(message)
        return self

    def read_boards(self) -> tuple[Board | None, Board]:
        """Return the board, or None for a sweep, and the goal."""
        if self.sweep is None:
            return self.puzzle()
        size = Size(self.sweep.width, self.sweep.height)
        # The service checks this too, but a goal that is too large may not fit into memory.
        check_cells(size, services().settings)
        return None, parse_goal(self.goal, size)


def _tiles(board: Board | None) -> list[int] | None:
    return None if board is None else list_tiles(board)


def _texts(methods: Sequence[Method]) -> list[str]:
    return [method.text for method in methods]


class ComparisonDocument(Document):
    """A comparison and its runs, ordered by board and then by method."""

    id: str
    state: Literal["running", "finished", "cancelled"]
    width: int = Field(validation_alias=AliasPath("goal", "width"))
    height: int = Field(validation_alias=AliasPath("goal", "height"))
    board: Annotated[list[int] | None, BeforeValidator(_tiles)] = Field(
        validation_alias="start",
        description="The tiles row by row, with 0 for the blank. null for a sweep.",
    )
    goal: Tiles
    sweep: Sweep | None = Field(description="How the boards were generated.")
    methods: Annotated[list[str], BeforeValidator(_texts)] = Field(
        examples=[["a-star:manhattan", "breadth-first"]]
    )
    time_limit_s: float = Field(validation_alias=AliasPath("limits", "seconds"))
    node_limit: int = Field(validation_alias=AliasPath("limits", "nodes"))
    memory_limit_mb: Mebibytes = Field(validation_alias=AliasPath("limits", "memory_bytes"))
    trace: TraceWindow | None = Field(
        validation_alias="window", description="Which steps of each run are stored."
    )
    created_at: Seconds
    total: int = Field(description="The number of runs.", examples=[10])
    unfinished: int = Field(description="The number of runs that have not ended.", examples=[3])
    version: str
    runs: list[RunDocument]

    links: Links = Field(default_factory=lambda data: _links(data["id"]))


def _links(comparison_id: str) -> dict[str, str]:
    url = f"{API_ROOT}/comparisons/{comparison_id}"
    results = f"{url}/results?format="
    return {"self": url, "csv": f"{results}csv", "json": f"{results}json"}


def _results_schema() -> dict[str, Any]:
    run = RunDocument.model_json_schema(
        mode="serialization", ref_template="#/components/schemas/{model}"
    )
    properties = run["properties"] | {"board": {"type": "array", "items": {"type": "integer"}}}
    columns = {name: properties[name] for name in RUN_COLUMNS}
    record = {"type": "object", "properties": columns, "required": list(columns)}
    return {"type": "array", "items": record}


def _list_records(view: Comparison) -> Iterator[dict[str, Any]]:
    start = [] if view.start is None else [view.start]
    boards = start if view.sweep is None else view.sweep.draw(view.goal)
    tiles_by_board = [list_tiles(board) for board in boards]
    for run in view.runs:
        record = RunDocument.model_validate(run).model_dump()
        record["board"] = tiles_by_board[run.board_index]
        yield {name: record[name] for name in RUN_COLUMNS}


def _format_json(view: Comparison) -> Iterator[bytes]:
    separator = b"["
    for record in _list_records(view):
        yield separator + to_json(record, inf_nan_mode="null")
        separator = b",\n"
    yield b"]\n" if separator != b"[" else b"[]\n"


api = APIBlueprint(
    "comparisons", __name__, url_prefix=f"{API_ROOT}/comparisons", abp_tags=[Tag(name="lab")]
)


class ComparisonResultsQuery(BaseModel, extra="forbid"):
    """The format of the results."""

    format: Literal["csv", "json"] = "csv"


@operation(api.post, "", "submitComparison", submission_responses(ComparisonDocument), 503)
def submit(body: ComparisonFields) -> Response:
    """Compare methods on a board, or on the boards of a sweep.

    Identical runs are shared by all clients. The status is 200 if every run has already ended, and
    202 otherwise. Location is the URL of the comparison. Repeating a request returns the same
    comparison.
    """
    client_id = current_client_id()
    view = services().comparisons.submit(client_id, *body.read_boards(), body)
    document = ComparisonDocument.model_validate(view)
    return accepted_response(document, document.links["self"], finished=view.finished)


@operation(api.get, "/<uuid:comparison_id>", "readComparison", poll_responses(ComparisonDocument))
def comparison(comparison_id: Id, wait: Wait = 0, since: Since = None) -> Response:
    """Retrieve a comparison. With wait, the response is sent once it has changed.

    The ETag is the version, followed by the language if that is not English. Anyone who knows the
    URL can read the comparison.
    """
    return poll_response(
        wait, since, services().comparisons, comparison_id, ComparisonDocument.model_validate
    )


@operation(api.delete, "/<uuid:comparison_id>", "cancelComparison", ComparisonDocument)
def cancel(comparison_id: Id) -> Response:
    """Cancel one of this client's comparisons. Runs needed by other clients continue."""
    client_id = known_client_id() or ""
    view = services().comparisons.cancel(comparison_id, client_id)
    return with_etag(json_response(ComparisonDocument.model_validate(view)), view.version)


@operation(
    api.get,
    "/<uuid:comparison_id>/results",
    "readComparisonResults",
    {
        200: {
            "description": "One record per run, in order",
            "content": {
                "text/csv": {"schema": {"type": "string"}},
                "application/json": {"schema": _results_schema()},
            },
        }
    },
)
def results(comparison_id: Id, query: ComparisonResultsQuery) -> Response:
    """Download every run of a comparison with its board."""
    view = services().comparisons.view(comparison_id)
    if query.format == "csv":
        lines = run_lines(_list_records(view), view.goal.size)
        response = Response(lines, content_type="text/csv; charset=utf-8")
    else:
        response = Response(_format_json(view), content_type="application/json")
    name = f"tilework-comparison-{view.id}.{query.format}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-cache"
    return set_language_headers(response)
