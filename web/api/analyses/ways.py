"""``/ways``: finding all shortest solutions of a board."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final
from uuid import UUID

from flask import Response, request
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field

from tilework.core.links import API_ROOT
from tilework.core.messages import Message
from tilework.core.model.tasks import ShortestPathsSpec, Task
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.services.tasks.questions import MAX_LISTED
from tilework.web.api.analyses.ways_documents import (
    GRAPH_SCHEMA,
    WaysDocument,
    ways_document,
    ways_url,
)
from tilework.web.api.documents import (
    cancel_responses,
    json_response,
    problem_responses,
    read_responses,
    submit_responses,
)
from tilework.web.api.polling import FollowQuery, accepted_response, poll_response, with_etag
from tilework.web.api.request_parsing import BoardFields, parsed_request
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.limits import MEBIBYTE
from tilework.web.problems import NOT_ENDED, ProblemError

_MAX_MEBIBYTES: Final = 1 << 24

api = APIBlueprint(
    "ways",
    __name__,
    url_prefix=f"{API_ROOT}/ways",
    abp_tags=[Tag(name="all shortest solutions")],
)


class WaysFields(BoardFields):
    """A board of up to 16 cells."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"board": "8 6 7 2 5 4 3 0 1"}]})

    time_limit_s: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="The time limit of the search, in seconds."
    )
    memory_limit_mb: int | None = Field(
        None,
        gt=0,
        le=_MAX_MEBIBYTES,
        description="The memory limit of the search, in MiB.",
    )

    def submit(self, client_id: str) -> Task[ShortestPathsSpec]:
        start, goal = self.puzzle()
        memory = self.memory_limit_mb
        return services().ways.submit(
            client_id,
            start,
            goal,
            seconds=self.time_limit_s,
            memory_bytes=None if memory is None else memory * MEBIBYTE,
        )


class WaysPath(BaseModel):
    """The id of a search for all shortest solutions."""

    ways_id: UUID


@api.post("", operation_id="submitWays", responses=submit_responses(WaysDocument))
@parsed_request
def submit(body: WaysFields) -> Response:
    """Find all shortest solutions of a board, and one with the fewest slides.

    The status is 202, and Location is the URL of the search. Repeating a request returns the same
    search, with status 200 once it has ended.
    """
    view = body.submit(current_client_id())
    return accepted_response(ways_document(view), ways_url(view.id), finished=view.finished)


@api.get("/<uuid:ways_id>", operation_id="readWays", responses=read_responses(WaysDocument))
@parsed_request
def ways(path: WaysPath, query: FollowQuery) -> Response:
    """Retrieve a search for all shortest solutions.

    With wait, the response is sent once it has changed. The ETag is the version, followed by the
    language if that is not English. Anyone who knows the URL can read the search.
    """
    return poll_response(query, services().ways, path.ways_id, ways_document)


@api.delete("/<uuid:ways_id>", operation_id="cancelWays", responses=cancel_responses(WaysDocument))
@parsed_request
def cancel(path: WaysPath) -> Response:
    """Cancel one of this client's searches for all shortest solutions."""
    view = services().ways.cancel(str(path.ways_id), known_client_id() or "")
    return with_etag(json_response(ways_document(view)), view.version)


_TEXT: Final = "text/plain; charset=utf-8"
_JSON_LINES: Final = "application/jsonl"
_DOT: Final = "text/vnd.graphviz"


class ListFormat(StrEnum):
    """The format of a list of solutions, with one solution per line."""

    UDLR = "udlr"
    JSONL = "jsonl"


class GraphFormat(StrEnum):
    """The format of a graph."""

    JSON = "json"
    DOT = "dot"


class ListQuery(BaseModel):
    """Which solutions to return, and their format."""

    format: ListFormat = Field(
        ListFormat.UDLR,
        description="udlr: the letters of the moves. jsonl: an object with number, moves and "
        "slides.",
    )
    first: int = Field(
        0, ge=0, le=MAX_LISTED, description="The number of the first solution, from 0."
    )
    count: int = Field(
        MAX_LISTED, ge=0, le=MAX_LISTED, description="The maximum number of solutions."
    )


class GraphQuery(BaseModel):
    """The format of the graph."""

    format: GraphFormat | None = Field(
        None,
        description="dot is the language of Graphviz. By default, the Accept header "
        "determines the format.",
    )


@api.get(
    "/<uuid:ways_id>/solutions",
    operation_id="listWays",
    responses={
        200: {
            "description": "One solution per line",
            "content": {
                "text/plain": {"schema": {"type": "string"}},
                _JSON_LINES: {"schema": {"type": "string"}},
            },
        },
        **problem_responses(404, 409, 422),
    },
)
@parsed_request
def solutions(path: WaysPath, query: ListQuery) -> Response:
    """List shortest solutions.

    They are sorted by their moves, in the order up, down, left, right. Only the first 1,000 are
    stored.
    """
    ways_id = _require_ended(path)
    paths = services().ways.solutions(ways_id, query.first, query.count)
    if query.format is ListFormat.JSONL:
        return Response(_format_json_lines(paths, query.first), content_type=_JSON_LINES)
    return Response((to_letters(moves) + "\n" for moves in paths), content_type=_TEXT)


@api.get(
    "/<uuid:ways_id>/graph",
    operation_id="drawWays",
    responses={
        200: {
            "description": "The graph of all shortest solutions, layer by layer",
            "content": {
                "application/json": {"schema": GRAPH_SCHEMA},
                _DOT: {"schema": {"type": "string"}},
            },
        },
        **problem_responses(404, 409, 422),
    },
)
@parsed_request
def graph(path: WaysPath, query: GraphQuery) -> Response:
    """Retrieve the graph of all shortest solutions, if it is small enough to be drawn."""
    paths_graph = services().ways.graph(_require_ended(path))
    accepted = request.accept_mimetypes.best_match(["application/json", _DOT])
    if query.format is GraphFormat.DOT or (query.format is None and accepted == _DOT):
        response = Response((line + "\n" for line in paths_graph.dot()), content_type=_DOT)
    else:
        response = Response(json.dumps(paths_graph.document()), content_type="application/json")
    response.headers["Vary"] = "Accept"
    return response


def _require_ended(path: WaysPath) -> str:
    view = services().ways.view(str(path.ways_id))
    if not view.finished:
        raise ProblemError(
            NOT_ENDED,
            Message(
                "ways-not-ended",
                "The search is {state}; its solutions will be available when it ends.",
                state=view.state,
            ),
        )
    return view.id


def _format_json_lines(paths: Sequence[Moves], first: int) -> Iterator[str]:
    for number, moves in enumerate(paths, first):
        record = {"number": number, "moves": to_letters(moves), "slides": count_slides(moves)}
        yield json.dumps(record) + "\n"
