"""``tilework read-picture``: the board in a photo or a screenshot, to be looked at before use."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from tilework.core.cli.files import STANDARD_INPUT
from tilework.core.cli.language import say
from tilework.core.cli.options import AsJson
from tilework.core.errors import InputError
from tilework.core.messages import Message
from tilework.core.pictures.apart import read_picture_apart
from tilework.core.pictures.limits import MOST_BYTES
from tilework.core.pictures.reading import CellReading, Reading
from tilework.core.puzzle.phrases import unreadable


def read_picture(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A PNG, JPEG or WebP; - is the standard input.")
    ],
    as_json: AsJson = False,
) -> None:
    """Print the board in a picture.

    It is a guess: look at it before it is solved. Cells that are doubtful are named on the standard
    error.
    """
    reading = read_picture_apart(_bytes_of(file))
    if as_json:
        print(json.dumps(reading.document()))
        return
    print(reading.board)
    for place, cell in enumerate(reading.cells):
        if cell.doubtful:
            print(say(_doubt(reading, place, cell)), file=sys.stderr)


def _bytes_of(file: str) -> bytes:
    """Return what is in a file, of which no more is read than a picture may have.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    path = Path(file)
    try:
        with path.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(unreadable(path, error.strerror)) from None


def _doubt(reading: Reading, place: int, cell: CellReading) -> Message:
    row, column = divmod(place, reading.columns)
    return Message(
        "doubtful-cell",
        "row {row}, column {column}: {tile} is doubtful",
        row=row + 1,
        column=column + 1,
        tile=cell.tile,
    )
