"""Parts of a job's solution for the player: packed moves, and the board after some moves."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field

from tilework.core.links import API_ROOT
from tilework.core.puzzle.packing import pack_two_bits
from tilework.core.services.jobs.solutions import MAX_MOVES, SolutionPart
from tilework.web.api.documents import problem_responses
from tilework.web.api.jobs import JobPath
from tilework.web.api.request_parsing import parsed_request
from tilework.web.api.solutions import no_solution_problem
from tilework.web.clients import services

_BINARY: Final = "application/octet-stream"
_MAX_TWO_BYTE_CELLS: Final = 1 << 16

# A solution that is requested by its ETag never changes; a job's best solution does.
_IMMUTABLE: Final = "private, max-age=86400, immutable"
_NO_STORE: Final = "private, no-store"

api = APIBlueprint(
    "solution_parts", __name__, url_prefix=API_ROOT, abp_tags=[Tag(name="solutions")]
)


class SolutionQuery(BaseModel):
    """Which solution to read."""

    solution: str | None = Field(
        None,
        max_length=64,
        description="The ETag of a previous response, without quotes, to read from the same "
        "solution.",
    )


class MovesQuery(SolutionQuery):
    """Which moves to read."""

    first: int = Field(0, ge=0, le=1 << 40, description="The index of the first move, from 0.")
    count: int = Field(1 << 18, ge=1, le=MAX_MOVES)


class BoardQuery(SolutionQuery):
    """Which board to read."""

    move: int = Field(
        0, ge=0, le=1 << 40, description="The number of moves made before this board is reached."
    )


def _binary_response(description: str) -> dict[str | int, Any]:
    schema = {"type": "string", "format": "binary"}
    return {200: {"description": description, "content": {_BINARY: {"schema": schema}}}}


@api.get(
    "/jobs/<uuid:job_id>/solution/moves",
    operation_id="readMoves",
    responses={
        **_binary_response(
            "Four moves per byte, the first in the lowest two bits: U 0, D 1, L 2, R 3"
        ),
        **problem_responses(404, 409, 422),
    },
)
@parsed_request
def moves(path: JobPath, query: MovesQuery) -> Response:
    """Retrieve part of the moves of the best solution.

    The header Solution-Length contains the length of the whole solution, and the ETag identifies
    it. With ``solution``, the status is 409 if a better solution has replaced that one.
    """
    job_id = str(path.job_id)
    part = services().read_parts.moves(job_id, query.first, query.count, query.solution)
    if part is None or part.moves is None:
        raise no_solution_problem(job_id)
    return _respond(part, pack_two_bits(part.moves), query)


@api.get(
    "/jobs/<uuid:job_id>/solution/board",
    operation_id="readBoardAt",
    responses={
        **_binary_response(
            "The tiles row by row, two bytes each in little-endian order, or four bytes each for "
            "boards of more than 65,536 cells"
        ),
        **problem_responses(404, 409, 422),
    },
)
@parsed_request
def board(path: JobPath, query: BoardQuery) -> Response:
    """Retrieve the board after a number of moves of the best solution.

    The headers and the parameter ``solution`` are the same as for the moves.
    """
    job_id = str(path.job_id)
    part = services().read_parts.board(job_id, query.move, query.solution)
    if part is None or part.board is None:
        raise no_solution_problem(job_id)
    tile_type = "<u2" if part.board.size.cells <= _MAX_TWO_BYTE_CELLS else "<u4"
    return _respond(part, np.ascontiguousarray(part.board.cells, dtype=tile_type).tobytes(), query)


def _respond(part: SolutionPart, body: bytes, query: SolutionQuery) -> Response:
    response = Response(body, content_type=_BINARY)
    response.set_etag(part.solution)
    response.headers["Solution-Length"] = str(part.length)
    response.headers["Cache-Control"] = _NO_STORE if query.solution is None else _IMMUTABLE
    return response
