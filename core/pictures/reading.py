"""A board read from a picture, with what is doubtful about it.

What is read is a guess: nobody is to use it before a person has looked at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tilework.core.puzzle.board import Board


@dataclass(frozen=True, slots=True)
class CellReading:
    """What is on a cell.

    Attributes
    ----------
    tile : int
        0 for the blank.
    confidence : float
        Between 0 and 1.
    doubtful : bool
        Whether a person should look twice.
    corners : sequence of four (x, y)
        In the picture, in pixels, clockwise from the cell's upper left.
    """

    tile: int
    confidence: float
    doubtful: bool
    corners: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A board in a picture: every tile once, the cells row by row.

    Attributes
    ----------
    width, height : int
        Of the picture, in pixels.
    rows, columns : int
        Of the board.
    cells : tuple of CellReading
    """

    width: int
    height: int
    rows: int
    columns: int
    cells: tuple[CellReading, ...]

    @property
    def confidence(self) -> float:
        """Mean of the cells'."""
        return sum(cell.confidence for cell in self.cells) / len(self.cells)

    @property
    def board(self) -> Board:
        """The board."""
        return Board([cell.tile for cell in self.cells], self.columns, self.rows)

    def document(self) -> dict[str, Any]:
        """Return the reading as JSON has it."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Reading:
        """Return the reading that `document` wrote."""
        cells = tuple(CellReading(**cell) for cell in document["cells"])
        return cls(**{**document, "cells": cells})
