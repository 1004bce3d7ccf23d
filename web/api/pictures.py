"""``/pictures``: reading a board from a picture."""

from __future__ import annotations

from typing import Annotated, Final

from flask import Response, request
from flask_openapi import APIBlueprint, RequestBody, Tag
from pydantic import Field

from tilework.core.links import API_ROOT
from tilework.core.pictures.reader_process import read_picture_in_process
from tilework.core.pictures.reading import FORMATS, MAX_BYTES, Reading
from tilework.web.api.documents import Document, Tiles, json_response
from tilework.web.api.operation_decorator import operation
from tilework.web.api.request_parsing import unsupported_media_type
from tilework.web.clients import services
from tilework.web.problems import UNSUPPORTED_TYPE, ProblemError

_MEDIA_TYPES: Final = tuple(f"image/{name.lower()}" for name in FORMATS)

_BODY: Final = RequestBody.model_validate(
    {
        "required": True,
        "content": {
            name: {"schema": {"type": "string", "format": "binary"}} for name in _MEDIA_TYPES
        },
    }
)

api = APIBlueprint(
    "pictures", __name__, url_prefix=f"{API_ROOT}/pictures", abp_tags=[Tag(name="boards")]
)


class PictureCellDocument(Document):
    """The tile that was read in a cell, and the position of the cell in the picture."""

    tile: int = Field(description="The tile, or 0 for the blank.")
    confidence: float = Field(description="The confidence, from 0 to 1.")
    doubtful: bool = Field(description="Whether the tile should be checked by a person.")
    corners: Annotated[
        list[tuple[float, float]],
        Field(description="The corners in pixels of the picture, clockwise from the upper left."),
    ]


class PictureSizeDocument(Document):
    """The size of the picture in pixels, after applying its orientation."""

    width: int
    height: int


class PictureDocument(Document):
    """A board read from a picture. A person should check it before it is solved."""

    width: int
    height: int
    tiles: Tiles
    text: str
    doubtful: list[int] = Field(
        description="The indexes in `tiles` of the tiles that should be checked."
    )
    picture: PictureSizeDocument
    cells: list[PictureCellDocument]


@operation(api.post, "", "readPicture", PictureDocument, 413, 415, 501, 503, request_body=_BODY)
def read() -> Response:
    """Read the board from a photo or a screenshot in the body. The picture is not stored.

    The result is always a valid board, in which every tile occurs once, but it can be wrong.
    """
    if request.mimetype not in _MEDIA_TYPES:
        raise ProblemError(UNSUPPORTED_TYPE, unsupported_media_type(", ".join(_MEDIA_TYPES)))
    request.max_content_length = min(MAX_BYTES, services().settings.max_body_bytes)
    return json_response(_make_document(read_picture_in_process(request.get_data(cache=False))))


def _make_document(reading: Reading) -> PictureDocument:
    board = reading.board
    return PictureDocument.model_validate(
        {
            "width": board.width,
            "height": board.height,
            "tiles": board,
            "text": str(board),
            "doubtful": [index for index, cell in enumerate(reading.cells) if cell.doubtful],
            "picture": {"width": reading.width, "height": reading.height},
            "cells": reading.cells,
        }
    )
