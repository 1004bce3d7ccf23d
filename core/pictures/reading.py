"""What a picture may be and may take, and what was read in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tilework.core.puzzle.board import Board

FORMATS: Final = ("PNG", "JPEG", "WEBP")
MOST_BYTES: Final = 10_000_000  # of the file
MOST_PIXELS: Final = 24_000_000  # what its header may promise: a photograph of a good camera
LEAST_SIDE: Final = 2
MOST_SIDE: Final = 10  # rows and columns of the boards that are looked for
PROCESSOR_SECONDS: Final = 10  # for one picture; it takes about one
SECONDS: Final = 30.0  # from the start of the process to its end, however busy the machine is

# Of addresses: the libraries take more than half of them, and use little of it
MEMORY_BYTES: Final = 1_500_000_000

_BEGINNINGS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")


def is_picture(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(8).startswith(_BEGINNINGS)


@dataclass(frozen=True, slots=True)
class CellReading:
    tile: int  # 0 for the blank
    confidence: float  # between 0 and 1
    doubtful: bool  # whether a person should look twice
    # In the picture, in pixels, clockwise from the cell's upper left
    corners: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Reading:
    # Of the picture, in pixels
    width: int
    height: int
    # Of the board
    rows: int
    columns: int
    cells: tuple[CellReading, ...]

    @property
    def confidence(self) -> float:
        return sum(cell.confidence for cell in self.cells) / len(self.cells)

    @property
    def board(self) -> Board:
        return Board([cell.tile for cell in self.cells], self.columns, self.rows)

    def document(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Reading:
        cells = tuple(CellReading(**cell) for cell in document["cells"])
        return cls(**{**document, "cells": cells})
