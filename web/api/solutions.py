"""Solutions and certificates of jobs, parts of solutions for the player, and known solutions."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import numpy as np
from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field

from tilework.core.formats.certificate import Certificate
from tilework.core.formats.solutions import SolutionFormat, format_solution
from tilework.core.links import API_ROOT
from tilework.core.messages import Message
from tilework.core.model.jobs import WITHDRAWN
from tilework.core.model.solutions import SolutionView
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack_two_bits
from tilework.core.services.jobs.solutions import MAX_MOVES, SolutionPart
from tilework.web.api.documents import RETRY_AFTER_S
from tilework.web.api.operation_decorator import operation
from tilework.web.api.request_parsing import Id, Width, parse_board, parse_goal
from tilework.web.clients import services
from tilework.web.problems import NO_SOLUTION, NO_SOLUTION_YET, NOT_ENDED, ProblemError

_MEDIA_TYPES: Final = {SolutionFormat.JSON: "application/json"}
_TEXT: Final = "text/plain; charset=utf-8"
_EXTENSIONS: Final = {SolutionFormat.JSON: "json"}

api = APIBlueprint("solutions", __name__, url_prefix=API_ROOT, abp_tags=[Tag(name="solutions")])


class SolutionDocument(BaseModel):
    """The best known solution. The bound and `optimal` refer to the metric."""

    width: int
    height: int
    start: list[list[int]] = Field(description="The rows of the board, with 0 for the blank.")
    goal: list[list[int]]
    length: int = Field(description="The number of moves.")
    metric: Metric
    lower_bound: int | None
    optimal: bool
    named_by: Literal["tile", "blank"] = Field(
        description="Whether the letters of the moves are the directions of the tile or of the "
        "blank."
    )
    moves: str = Field(description="One letter for each move.", pattern="^[UDLR]*$")
    slides: int = Field(
        description="The number of slides. Adjacent tiles that move together count as one slide."
    )


_SCHEMA: Final = SolutionDocument.model_json_schema(ref_template="#/components/schemas/{model}")
# The components already contain it.
del _SCHEMA["$defs"]
_SOLUTION: Final = {
    200: {
        "description": "The best known solution",
        "content": {
            "application/json": {"schema": _SCHEMA},
            "text/plain": {"schema": {"type": "string"}},
        },
    },
}


class FormatQuery(BaseModel, extra="forbid"):
    """The format of a solution."""

    format: SolutionFormat = SolutionFormat.JSON
    lang: Literal["en", "pt"] = Field(
        "en", description="The language of the formats text and princeton."
    )
    by: Literal["tile", "blank"] = Field(
        "tile",
        description="Whether the letters in udlr, runs and json are the directions of the tile or "
        "of the blank.",
    )
    download: bool = Field(False, description="Whether browsers should save the file.")


class KnownSolutionQuery(FormatQuery):
    """The board and its goal, as text, and the format of the solution."""

    board: str
    goal: str = GoalName.BLANK_LAST
    width: Width = None


@operation(api.get, "/jobs/<uuid:job_id>/solution", "readSolution", _SOLUTION, 409)
def job_solution(job_id: Id, query: FormatQuery) -> Response:
    """Retrieve a job's best solution so far."""
    solution = services().read.solution(job_id)
    if solution is None:
        raise no_solution_problem(job_id)
    return _respond_with_solution(solution, query)


@operation(api.get, "/solutions", "findSolution", _SOLUTION, 404, 409)
def known_solution(query: KnownSolutionQuery) -> Response:
    """Find the best known solution of a board or an equivalent one, from any client."""
    board = parse_board(query.board, query.width)
    solution = services().read.find_solution(board, parse_goal(query.goal, board.size))
    if solution is None:
        raise ProblemError(
            NO_SOLUTION,
            Message("never-solved", "This board has not been solved yet; submit it as a job."),
        )
    return _respond_with_solution(solution, query)


def _respond_with_solution(solution: SolutionView, query: FormatQuery) -> Response:
    chunks = format_solution(
        query.format,
        solution.start,
        solution.moves,
        solution.goal,
        language=query.lang,
        blank_moves=query.by == "blank",
        lower_bound=solution.lower_bound,
        metric=solution.metric,
    )
    response = Response(chunks, content_type=_MEDIA_TYPES.get(query.format, _TEXT))
    width, height = solution.start.size
    extension = _EXTENSIONS.get(query.format, "txt")
    name = f"tilework-{width}x{height}-{len(solution.moves)}-{query.format}.{extension}"
    kind = "attachment" if query.download else "inline"
    response.headers["Content-Disposition"] = f'{kind}; filename="{name}"'
    if query.format is SolutionFormat.UDLR:
        # The page shows the progress of a download, so it needs the length.
        response.content_length = len(solution.moves) + 1
    return response


def no_solution_problem(job_id: str) -> ProblemError:
    """Return why a job has no solution."""
    view = services().read.view(job_id)
    if view.message == WITHDRAWN:
        return ProblemError(NO_SOLUTION, WITHDRAWN)
    if view.finished:
        return ProblemError(
            NO_SOLUTION,
            Message(
                "ended-without-solution",
                "The job ended without a solution ({state}); submit the board again.",
                state=view.state,
            ),
        )
    return ProblemError(
        NO_SOLUTION_YET,
        Message(
            "no-solution-yet",
            "The job is {state}; every solution has at least {moves}.",
            state=view.state,
            moves=view.options.metric.describe(view.lower_bound),
        ),
        retry_after_s=RETRY_AFTER_S,
    )


@operation(api.get, "/jobs/<uuid:job_id>/certificate", "readCertificate", Certificate, 409)
def certificate(job_id: Id) -> Response:
    """Download the certificate of a job that has ended.

    It proves the best known bounds of the job's board, which can be better than those with which
    the job ended.
    """
    view = services().read.view(job_id)
    if not view.finished:
        raise ProblemError(
            NOT_ENDED,
            Message(
                "job-not-ended",
                "The job is {state}; a certificate will be available when it ends.",
                state=view.state,
            ),
        )
    stored_certificate = services().certificate(view.id)
    if stored_certificate is None:
        # The stored solution may just have been found damaged and withdrawn.
        if services().read.view(view.id).message == WITHDRAWN:
            raise ProblemError(NO_SOLUTION, WITHDRAWN)
        raise ProblemError(
            NO_SOLUTION,
            Message(
                "nothing-to-prove",
                "The job ended without a solution ({state}), so there is nothing to certify.",
                state=view.state,
            ),
        )
    response = Response(stored_certificate.chunks, content_type="application/json")
    width, height = stored_certificate.solution.start.size
    name = f"tilework-certificate-{width}x{height}-{len(stored_certificate.solution.moves)}.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


_BINARY: Final = "application/octet-stream"
_MAX_TWO_BYTE_CELLS: Final = 1 << 16

# A solution that is requested by its ETag never changes; a job's best solution does.
_IMMUTABLE: Final = "private, max-age=86400, immutable"
_NO_STORE: Final = "private, no-store"


SolutionTag = Annotated[
    str | None,
    Field(
        max_length=64,
        description="The ETag of a previous response, without quotes, to read from the same "
        "solution.",
    ),
]


def _binary_response(description: str) -> dict[int, Any]:
    schema = {"type": "string", "format": "binary"}
    return {200: {"description": description, "content": {_BINARY: {"schema": schema}}}}


@operation(
    api.get,
    "/jobs/<uuid:job_id>/solution/moves",
    "readMoves",
    _binary_response("Four moves per byte, the first in the lowest two bits: U 0, D 1, L 2, R 3"),
    409,
)
def moves(
    job_id: Id,
    solution: SolutionTag = None,
    first: Annotated[
        int, Field(ge=0, le=1 << 40, description="The index of the first move, from 0.")
    ] = 0,
    count: Annotated[int, Field(ge=1, le=MAX_MOVES)] = 1 << 18,
) -> Response:
    """Retrieve part of the moves of the best solution.

    The header Solution-Length contains the length of the whole solution, and the ETag identifies
    it. With ``solution``, the status is 409 if a better solution has replaced that one.
    """
    part = services().read_parts.moves(job_id, first, count, solution)
    if part is None or part.moves is None:
        raise no_solution_problem(job_id)
    return _respond(part, pack_two_bits(part.moves), solution)


@operation(
    api.get,
    "/jobs/<uuid:job_id>/solution/board",
    "readBoardAt",
    _binary_response(
        "The tiles row by row, two bytes each in little-endian order, or four bytes each for "
        "boards of more than 65,536 cells"
    ),
    409,
)
def board(
    job_id: Id,
    solution: SolutionTag = None,
    move: Annotated[
        int,
        Field(
            ge=0,
            le=1 << 40,
            description="The number of moves made before this board is reached.",
        ),
    ] = 0,
) -> Response:
    """Retrieve the board after a number of moves of the best solution.

    The headers and the parameter ``solution`` are the same as for the moves.
    """
    part = services().read_parts.board(job_id, move, solution)
    if part is None or part.board is None:
        raise no_solution_problem(job_id)
    tile_type = "<u2" if part.board.size.cells <= _MAX_TWO_BYTE_CELLS else "<u4"
    return _respond(
        part, np.ascontiguousarray(part.board.cells, dtype=tile_type).tobytes(), solution
    )


def _respond(part: SolutionPart, body: bytes, requested: str | None) -> Response:
    response = Response(body, content_type=_BINARY)
    response.set_etag(part.solution)
    response.headers["Solution-Length"] = str(part.length)
    response.headers["Cache-Control"] = _NO_STORE if requested is None else _IMMUTABLE
    return response
