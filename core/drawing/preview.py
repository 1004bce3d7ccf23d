"""The picture that a link to a job is shown with."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from tilework.core.drawing.colours import PALETTES, Light
from tilework.core.drawing.picture import board_image
from tilework.core.puzzle.board import Board

SIZE: Final = (1200, 630)
"""What those who show links ask for."""

_MARGIN: Final = 35


def preview_png(board: Board, goal: Board) -> bytes:
    """Return the board in the middle of a PNG of `SIZE`; the words stand beside it as text."""
    from PIL import Image

    palette = PALETTES[Light.LIGHT]
    picture = Image.new("RGB", SIZE, palette.ground)
    most = (SIZE[0] - 2 * _MARGIN, SIZE[1] - 2 * _MARGIN)
    drawn = board_image(board, goal, palette, most)
    picture.paste(drawn, ((SIZE[0] - drawn.width) // 2, (SIZE[1] - drawn.height) // 2))
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
