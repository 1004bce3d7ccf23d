"""Boards as pictures and PNG files, drawn with Pillow, which is imported on demand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from tilework.core.machine import require_extra
from tilework.core.puzzle.board import Board, Size

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw


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


def encode_png(pixels: npt.NDArray[np.uint8]) -> bytes:
    require_extra("pictures")
    from PIL import Image

    return _to_png(Image.fromarray(pixels))


def _to_png(image: Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


_THUMBNAIL_SIDE: Final = 48


def thumbnail_png(board: Board, goal: Board) -> bytes:
    """Draw the colours of a board's tiles, one pixel each; of a large board, every n-th tile."""
    pixels = tile_colours(board, goal)
    step = -(-max(board.size) // _THUMBNAIL_SIDE)
    return encode_png(np.ascontiguousarray(pixels[::step, ::step]))


_FONT_SIZE: Final = 0.42  # relative to the cell
_FONT_SIZE_THREE_DIGITS: Final = 0.36
_MAX_TWO_DIGIT_CELLS: Final = 100  # of boards without three-digit numbers


class TilePainter:
    def __init__(self, size: Size, palette: Palette, side: int) -> None:
        from PIL import ImageFont

        self._palette = palette
        self._side = side
        fraction = _FONT_SIZE if size.cells <= _MAX_TWO_DIGIT_CELLS else _FONT_SIZE_THREE_DIGITS
        self._font = ImageFont.load_default(max(1, side * fraction))

    def paint(self, pen: ImageDraw, tile: int, corner: tuple[int, int], *, home: bool) -> None:
        """Paint a tile, or the blank, at the upper left corner of a cell."""
        palette, side = self._palette, self._side
        left, top = corner
        pen.rectangle((left, top, left + side - 1, top + side - 1), fill=palette.tray)
        if tile == 0:
            return
        gap = max(1, side // 24)
        frame = (left + gap, top + gap, left + side - 1 - gap, top + side - 1 - gap)
        pen.rounded_rectangle(frame, max(1, side // 10), palette.home if home else palette.away)
        ink = palette.home_ink if home else palette.away_ink
        middle = (left + side / 2, top + side / 2)
        pen.text(middle, str(tile), fill=ink, font=self._font, anchor="mm")


def board_image(board: Board, goal: Board, palette: Palette, limits: tuple[int, int]) -> Image:
    """Return the largest picture of a board in its tray that fits into ``limits`` pixels."""
    from PIL import Image, ImageDraw

    edge = max(4, min(limits) // 60)
    width, height = board.size
    if has_numbers(board.size):
        side = min((limits[0] - 2 * edge) // width, (limits[1] - 2 * edge) // height)
        size = (width * side, height * side)
    else:
        scale = min((limits[0] - 2 * edge) / width, (limits[1] - 2 * edge) / height)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
    image = Image.new("RGB", (size[0] + 2 * edge, size[1] + 2 * edge), palette.background)
    pen = ImageDraw.Draw(image)
    frame = (0, 0, image.width - 1, image.height - 1)
    pen.rounded_rectangle(frame, 2 * edge, palette.tray)
    if has_numbers(board.size):
        painter = TilePainter(board.size, palette, side)
        for cell, (tile, home) in enumerate(zip(board.cells, goal.cells, strict=True)):
            row, column = divmod(cell, width)
            corner = (edge + column * side, edge + row * side)
            painter.paint(pen, int(tile), corner, home=bool(tile == home))
    else:
        pixels = Image.fromarray(tile_colours(board, goal))
        image.paste(pixels.resize(size, Image.Resampling.NEAREST), (edge, edge))
    return image


SIZE: Final = (1200, 630)  # the size of link previews
_MARGIN: Final = 35


def preview_png(board: Board, goal: Board) -> bytes:
    """Return a PNG of `SIZE` with the board in its centre."""
    require_extra("pictures")
    from PIL import Image

    palette = PALETTES[Theme.LIGHT]
    picture = Image.new("RGB", SIZE, palette.background)
    limits = (SIZE[0] - 2 * _MARGIN, SIZE[1] - 2 * _MARGIN)
    image = board_image(board, goal, palette, limits)
    picture.paste(image, ((SIZE[0] - image.width) // 2, (SIZE[1] - image.height) // 2))
    return _to_png(picture)
