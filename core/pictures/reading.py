"""The limits of pictures, and the result of reading one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tilework.core.puzzle.board import Board

FORMATS: Final = ("PNG", "JPEG", "WEBP")
MAX_BYTES: Final = 10_000_000  # of the file
MAX_PIXELS: Final = 24_000_000  # as stated in the header
# Rows and columns of recognized boards
MIN_SIDE: Final = 2
MAX_SIDE: Final = 10
PROCESSOR_SECONDS: Final = 10  # per picture; about one is needed
SECONDS: Final = 30.0  # wall time of the process

# Address space; the libraries reserve more than half of it
MEMORY_BYTES: Final = 1_500_000_000

_SIGNATURES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")


def is_picture(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(8).startswith(_SIGNATURES)


@dataclass(frozen=True, slots=True)
class CellReading:
    tile: int  # 0 for the blank
    confidence: float  # between 0 and 1
    doubtful: bool  # whether the user should check it
    # In pixels of the picture, clockwise from the upper left
    corners: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Reading:
    # Size of the picture, in pixels
    width: int
    height: int
    # Size of the board
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
