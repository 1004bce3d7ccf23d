"""``/ways``: finding all shortest solutions of a board."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from flask import Response, request
from flask_openapi import APIBlueprint, Tag
from pydantic import AliasPath, BaseModel, ConfigDict, Field

from tilework.core.links import API_ROOT
from tilework.core.messages import Message
from tilework.core.model.views import Links
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import Moves, to_letters
from tilework.core.services.tasks.questions import MAX_DRAWN, MAX_LISTED, MAX_MEMORY_BYTES
from tilework.web.api.documents import Document, Letters, Mebibytes, QuestionDocument, json_response
from tilework.web.api.operation_decorator import operation, poll_responses, submission_responses
from tilework.web.api.polling import Since, Wait, accepted_response, poll_response, with_etag
from tilework.web.api.request_parsing import BoardFields, Id, TaskSeconds
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.limits import MEBIBYTE
from tilework.web.problems import NOT_ENDED, ProblemError


class FewestTurnsDocument(Document):
    """The shortest solution with the fewest changes of direction."""

    moves: Letters
    slides: int = Field(
        description="The number of slides. Consecutive moves in one direction count as one slide."
    )


class FewestSlidesDocument(Document):
    """The best known solution in slides, whatever its number of moves."""

    lower_bound: int = Field(description="A proven lower bound on the number of slides.")
    slides: int | None = Field(
        description="The number of slides, or null if no solution was found in time."
    )
    moves: Letters | None
    optimal: bool = Field(description="Whether the number of slides is proven to be minimal.")


class WaysResultDocument(Document):
    """What was found within the limits."""

    lower_bound: int = Field(
        description="A proven lower bound on the length of any solution.", examples=[57]
    )
    length: int | None = Field(
        description="The optimal length. null if a limit was reached first.", examples=[57]
    )
    count: int | None = Field(
        description="The exact number of shortest solutions. null if a limit was reached before "
        "all were found.",
        examples=[412],
    )
    boards: int | None = Field(
        description="The number of boards on shortest solutions, including start and goal."
    )
    moves: int | None = Field(description="The number of moves between these boards.")
    listed: int = Field(
        description=f"The number of solutions that can be listed, at most {MAX_LISTED:,}."
    )
    drawn: bool = Field(
        description=f"Whether the graph is available: it can have at most {MAX_DRAWN:,} boards."
    )
    solution: Letters | None = Field(description="A shortest solution, or the best known one.")
    fewest_turns: FewestTurnsDocument | None
    fewest_slides: FewestSlidesDocument | None = Field(
        description="null if there was not enough time."
    )
    nodes: int
    seconds: float
    stopped_by: Literal["time", "nodes", "memory"] | None = Field(
        description="The limit reached before all shortest solutions were found, or null."
    )


class WaysDocument(QuestionDocument):
    """A search for all shortest solutions of a board."""

    memory_limit_mb: Mebibytes = Field(validation_alias=AliasPath("spec", "memory_bytes"))
    depth: int | None = Field(
        None,
        validation_alias=AliasPath("progress", "settled"),
        description="The depth up to which boards have been searched.",
    )
    length: int | None = Field(
        None,
        validation_alias=AliasPath("progress", "total"),
        description="The optimal length, once it is known.",
    )
    lower_bound: int | None = Field(
        None,
        validation_alias=AliasPath("progress", "lower"),
        description="The lower bound while the search is running.",
    )
    result: WaysResultDocument | None = Field(description="The result, once the search is done.")
    links: Links = Field(default_factory=lambda data: _links(data["id"]))


def _links(ways_id: str) -> dict[str, str]:
    url = f"{API_ROOT}/ways/{ways_id}"
    return {"self": url, "solutions": f"{url}/solutions", "graph": f"{url}/graph"}


class GraphBoardDocument(Document):
    """A board on a shortest solution."""

    rows: list[list[int]]
    depth: int = Field(description="The number of moves from the start.")
    ways: int = Field(description="The number of shortest paths from it to the goal.")


class GraphMoveDocument(Document):
    """A move between two boards, given by their indexes."""

    from_: int = Field(alias="from")
    to: int
    move: Literal["U", "D", "L", "R"] = Field(description="The direction in which the tile moves.")


GRAPH_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "boards": {
            "type": "array",
            "description": "The boards. The first is the start, the last is the goal.",
            "items": GraphBoardDocument.model_json_schema(),
        },
        "moves": {"type": "array", "items": GraphMoveDocument.model_json_schema()},
    },
    "required": ["boards", "moves"],
}


api = APIBlueprint(
    "ways",
    __name__,
    url_prefix=f"{API_ROOT}/ways",
    abp_tags=[Tag(name="all shortest solutions")],
)


class WaysFields(BoardFields):
    """A board of up to 16 cells."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"board": "8 6 7 2 5 4 3 0 1"}]})

    time_limit_s: TaskSeconds = None
    memory_limit_mb: int | None = Field(
        None,
        gt=0,
        le=MAX_MEMORY_BYTES // MEBIBYTE,
        description="The memory limit of the search, in MiB.",
    )


@operation(api.post, "", "submitWays", submission_responses(WaysDocument), 503)
def submit(body: WaysFields) -> Response:
    """Find all shortest solutions of a board, and one with the fewest slides.

    The status is 202, and Location is the URL of the search. Repeating a request returns the same
    search, with status 200 once it has ended.
    """
    memory = body.memory_limit_mb
    view = services().ways.submit(
        current_client_id(),
        *body.puzzle(),
        seconds=body.time_limit_s,
        memory_bytes=None if memory is None else memory * MEBIBYTE,
    )
    document = WaysDocument.model_validate(view)
    return accepted_response(document, document.links["self"], finished=view.finished)


@operation(api.get, "/<uuid:ways_id>", "readWays", poll_responses(WaysDocument))
def ways(ways_id: Id, wait: Wait = 0, since: Since = None) -> Response:
    """Retrieve a search for all shortest solutions.

    With wait, the response is sent once it has changed. The ETag is the version, followed by the
    language if that is not English. Anyone who knows the URL can read the search.
    """
    return poll_response(wait, since, services().ways, ways_id, WaysDocument.model_validate)


@operation(api.delete, "/<uuid:ways_id>", "cancelWays", WaysDocument)
def cancel(ways_id: Id) -> Response:
    """Cancel one of this client's searches for all shortest solutions."""
    view = services().ways.cancel(ways_id, known_client_id() or "")
    return with_etag(json_response(WaysDocument.model_validate(view)), view.version)


_TEXT: Final = "text/plain; charset=utf-8"
_JSON_LINES: Final = "application/jsonl"
_DOT: Final = "text/vnd.graphviz"


class ListQuery(BaseModel, extra="forbid"):
    """Which solutions to return, and their format."""

    format: Literal["udlr", "jsonl"] = Field(
        "udlr",
        description="udlr: the letters of the moves. jsonl: an object with number, moves and "
        "slides.",
    )
    first: int = Field(
        0, ge=0, le=MAX_LISTED, description="The number of the first solution, from 0."
    )
    count: int = Field(
        MAX_LISTED, ge=0, le=MAX_LISTED, description="The maximum number of solutions."
    )


class GraphQuery(BaseModel, extra="forbid"):
    """The format of the graph."""

    format: Literal["json", "dot"] | None = Field(
        None,
        description="dot is the language of Graphviz. By default, the Accept header "
        "determines the format.",
    )


@operation(
    api.get,
    "/<uuid:ways_id>/solutions",
    "listWays",
    {
        200: {
            "description": "One solution per line",
            "content": {
                "text/plain": {"schema": {"type": "string"}},
                _JSON_LINES: {"schema": {"type": "string"}},
            },
        }
    },
    409,
)
def solutions(ways_id: Id, query: ListQuery) -> Response:
    """List shortest solutions.

    They are sorted by their moves, in the order up, down, left, right. Only the first 1,000 are
    stored.
    """
    _require_ended(ways_id)
    paths = services().ways.solutions(ways_id, query.first, query.count)
    if query.format == "jsonl":
        return Response(_format_json_lines(paths, query.first), content_type=_JSON_LINES)
    return Response((to_letters(moves) + "\n" for moves in paths), content_type=_TEXT)


@operation(
    api.get,
    "/<uuid:ways_id>/graph",
    "drawWays",
    {
        200: {
            "description": "The graph of all shortest solutions, layer by layer",
            "content": {
                "application/json": {"schema": GRAPH_SCHEMA},
                _DOT: {"schema": {"type": "string"}},
            },
        }
    },
    409,
)
def graph(ways_id: Id, query: GraphQuery) -> Response:
    """Retrieve the graph of all shortest solutions, if it is small enough to be drawn."""
    _require_ended(ways_id)
    paths_graph = services().ways.graph(ways_id)
    accepted = request.accept_mimetypes.best_match(["application/json", _DOT])
    if query.format == "dot" or (query.format is None and accepted == _DOT):
        response = Response((line + "\n" for line in paths_graph.dot()), content_type=_DOT)
    else:
        response = Response(json.dumps(paths_graph.document()), content_type="application/json")
    response.headers["Vary"] = "Accept"
    return response


def _require_ended(ways_id: str) -> None:
    view = services().ways.view(ways_id)
    if not view.finished:
        raise ProblemError(
            NOT_ENDED,
            Message(
                "ways-not-ended",
                "The search is {state}; its solutions will be available when it ends.",
                state=view.state,
            ),
        )


def _format_json_lines(paths: Sequence[Moves], first: int) -> Iterator[str]:
    for number, moves in enumerate(paths, first):
        record = {"number": number, "moves": to_letters(moves), "slides": count_slides(moves)}
        yield json.dumps(record) + "\n"
