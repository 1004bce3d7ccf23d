"""``/pictures``: the board in a picture, read and not kept."""

from __future__ import annotations

from typing import Annotated, Final

from flask import Response, request
from flask_openapi import APIBlueprint, RequestBody, Tag
from pydantic import Field

from tilework.core.pictures.reader_process import read_picture_in_process
from tilework.core.pictures.reading import FORMATS, MOST_BYTES, Reading
from tilework.core.services.jobs.document import API_ROOT
from tilework.web.api.documents import Document, Tiles, json_response
from tilework.web.api.request_parsing import problem_responses, unsupported_media_type
from tilework.web.clients import services
from tilework.web.problems import BODY_TYPE, ProblemError

_TYPES: Final = tuple(f"image/{name.lower()}" for name in FORMATS)

_BODY: Final = RequestBody.model_validate(
    {
        "required": True,
        "content": {one: {"schema": {"type": "string", "format": "binary"}} for one in _TYPES},
    }
)

api = APIBlueprint(
    "pictures", __name__, url_prefix=f"{API_ROOT}/pictures", abp_tags=[Tag(name="boards")]
)


class PictureCellDocument(Document):
    """What was read on a cell, and where in the picture the cell is."""

    tile: int = Field(description="0 for the blank")
    confidence: float = Field(description="Between 0 and 1")
    doubtful: bool = Field(description="Whether a person should look twice")
    corners: Annotated[
        list[tuple[float, float]],
        Field(description="In pixels of the picture, clockwise from the upper left"),
    ]


class PictureSizeDocument(Document):
    """The size of a picture as it is seen, in pixels."""

    width: int
    height: int


class PictureDocument(Document):
    """A board read from a picture: a guess, for a person to look at before anything is solved."""

    width: int
    height: int
    tiles: Tiles
    text: str
    doubtful: list[int] = Field(description="Places in `tiles` at which to look twice, from 0")
    picture: PictureSizeDocument
    cells: list[PictureCellDocument]


@api.post(
    "",
    operation_id="readPicture",
    request_body=_BODY,
    responses={200: PictureDocument, **problem_responses(403, 413, 415, 422, 429, 503)},
)
def read() -> Response:
    """Read the board in a photo or a screenshot, which is the body; nothing of it is kept.

    The grid is found and straightened, its digits are read and the blank recognised. Every tile
    comes once, so the text is a board; whether it is the right one, only a person can say.
    """
    if request.mimetype not in _TYPES:
        raise ProblemError(BODY_TYPE, unsupported_media_type(", ".join(_TYPES)))
    request.max_content_length = min(MOST_BYTES, services().settings.max_body_bytes)
    return json_response(_document(read_picture_in_process(request.get_data(cache=False))))


def _document(reading: Reading) -> PictureDocument:
    board = reading.board
    return PictureDocument.model_validate(
        {
            "width": board.width,
            "height": board.height,
            "tiles": board,
            "text": str(board),
            "doubtful": [place for place, cell in enumerate(reading.cells) if cell.doubtful],
            "picture": {"width": reading.width, "height": reading.height},
            "cells": reading.cells,
        }
    )
