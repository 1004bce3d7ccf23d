"""The colours of drawn boards: themes, and colours for tiles too small for numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from tilework.core.puzzle.board import Board, Size

# Boards with more rows or columns are drawn as colours, without numbers
MAX_NUMBERED_SIDE: Final = 12


class Theme(StrEnum):
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as ``#rrggbb``; ``home`` is for tiles on their goal cells, ``away`` for others."""

    background: str
    tray: str
    away: str
    away_ink: str
    home: str
    home_ink: str


PALETTES: Final = {
    Theme.LIGHT: Palette("#f3f6fa", "#1b2a4a", "#fdfefe", "#1c3a78", "#2a62c6", "#ffffff"),
    Theme.DARK: Palette("#0d1422", "#080d18", "#dfe7f4", "#17336e", "#2f66c8", "#ffffff"),
}

_CORNERS: Final = ((22, 58, 140), (120, 178, 232), (233, 178, 74), (250, 246, 232))
_BLANK: Final = 8


def has_numbers(size: Size) -> bool:
    """Whether boards of this size are drawn with numbers."""
    return max(size) <= MAX_NUMBERED_SIDE


def tile_colours(board: Board, goal: Board) -> npt.NDArray[np.uint8]:
    """Return the colour of the tile in each cell: shape (rows, columns, 3)."""
    down = np.linspace(0.0, 1.0, goal.height)[:, None, None]
    across = np.linspace(0.0, 1.0, goal.width)[None, :, None]
    first, second, third, fourth = (np.array(corner, dtype=float) for corner in _CORNERS)
    top = first * (1 - across) + second * across
    bottom = third * (1 - across) + fourth * across
    blended = np.rint(top * (1 - down) + bottom * down).astype(np.uint8).reshape(-1, 3)
    colours = np.empty_like(blended)
    colours[goal.cells] = blended
    colours[0] = _BLANK
    return colours[board.cells].reshape(board.height, board.width, 3)
