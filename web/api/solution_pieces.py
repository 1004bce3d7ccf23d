"""Pieces of a job's solution for players: packed moves, and the board at a place."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.packing import pack_two_bits
from tilework.core.services.jobs.document import API_ROOT
from tilework.core.services.jobs.pieces import MOST_MOVES, SolutionPiece
from tilework.web.api.jobs import JobPath
from tilework.web.api.request_parsing import parsed_request, problem_responses
from tilework.web.api.solutions import none_of
from tilework.web.clients import services

_BINARY: Final = "application/octet-stream"
_SHORT_TILES: Final = 1 << 16

# What is told of a solution never changes; a job's best solution does.
_FOR_EVER: Final = "private, max-age=86400, immutable"
_FOR_NOW: Final = "private, no-store"

api = APIBlueprint(
    "solution_pieces", __name__, url_prefix=API_ROOT, abp_tags=[Tag(name="solutions")]
)


class NamedQuery(BaseModel):
    """Which solution."""

    solution: str | None = Field(
        None,
        max_length=64,
        description="The ETag of another piece, without quotes: this one shall fit to it",
    )


class MovesQuery(NamedQuery):
    """Which moves."""

    first: int = Field(0, ge=0, le=1 << 40, description="How many moves to leave out")
    count: int = Field(1 << 18, ge=1, le=MOST_MOVES)


class PlaceQuery(NamedQuery):
    """Which board."""

    move: int = Field(0, ge=0, le=1 << 40, description="After how many moves")


def _binary(what: str) -> dict[str | int, Any]:
    schema = {"type": "string", "format": "binary"}
    return {200: {"description": what, "content": {_BINARY: {"schema": schema}}}}


@api.get(
    "/jobs/<uuid:job_id>/solution/moves",
    operation_id="readMoves",
    responses={
        **_binary("Four moves a byte, the first in the lowest two bits: U 0, D 1, L 2, R 3"),
        **problem_responses(404, 409, 422),
    },
)
@parsed_request
def moves(path: JobPath, query: MovesQuery) -> Response:
    """Read some moves of the best solution.

    Solution-Length says how many there are in all; after the last there are none. The ETag names
    the solution. With solution, 409 where another one has replaced it.
    """
    job_id = str(path.job_id)
    piece = services().read_pieces.moves(job_id, query.first, query.count, query.solution)
    if piece is None or piece.moves is None:
        raise none_of(job_id)
    return _answer(piece, pack_two_bits(piece.moves), query)


@api.get(
    "/jobs/<uuid:job_id>/solution/board",
    operation_id="readBoardAt",
    responses={
        **_binary("Row by row, two bytes a tile, the low one first; four over 65,536 cells"),
        **problem_responses(404, 409, 422),
    },
)
@parsed_request
def board(path: JobPath, query: PlaceQuery) -> Response:
    """Read the board after some moves of the best solution; after the last it is the goal.

    Headers and solution are those of the moves.
    """
    job_id = str(path.job_id)
    piece = services().read_pieces.board(job_id, query.move, query.solution)
    if piece is None or piece.board is None:
        raise none_of(job_id)
    return _answer(piece, _tiles(piece.board), query)


def _answer(piece: SolutionPiece, body: bytes, query: NamedQuery) -> Response:
    response = Response(body, content_type=_BINARY)
    response.set_etag(piece.solution)
    response.headers["Solution-Length"] = str(piece.length)
    response.headers["Cache-Control"] = _FOR_NOW if query.solution is None else _FOR_EVER
    return response


def _tiles(at: Board) -> bytes:
    kind = "<u2" if at.size.cells <= _SHORT_TILES else "<u4"
    return np.ascontiguousarray(at.cells, dtype=kind).tobytes()
