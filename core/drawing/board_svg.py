"""A board as an SVG picture that needs nothing beside it: no style sheet, no script, no font."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Final

from tilework.core.drawing.board_image import encode_png
from tilework.core.drawing.colours import PALETTES, Palette, Theme, has_numbers, place_colours
from tilework.core.puzzle.board import Board

# In the picture's own units; a cell is this wide, gap included.
_CELL: Final = 40
_EDGE: Final = 4
_GAP: Final = 2
_ROUND: Final = 4
_FONT: Final = "Palatino, 'Palatino Linotype', Georgia, serif"
_PIXELS_WIDE: Final = 600  # how wide a board of colours is shown where nobody says otherwise


def board_svg(board: Board, goal: Board, light: Theme = Theme.LIGHT) -> str:
    """Draw a board: tiles with numbers, those at home in another colour; a large one as colours."""
    palette = PALETTES[light]
    return "".join(
        _numbered(board, goal, palette) if has_numbers(board.size) else _field(board, goal)
    )


def _numbered(board: Board, goal: Board, palette: Palette) -> Iterator[str]:
    width, height = (count * _CELL + 2 * _EDGE for count in board.size)
    side = _CELL - 2 * _GAP
    yield _opening(board, width, height, width, height)
    yield f'<rect width="{width}" height="{height}" rx="{2 * _ROUND}" fill="{palette.tray}"/>'
    # Sizes of type are by the widest number there is, so that all tiles of a board look alike.
    size = 18 if board.size.cells <= 100 else 15
    yield (f'<g font-family="{_FONT}" font-weight="600" font-size="{size}" text-anchor="middle">')
    for cell, (tile, home) in enumerate(zip(board.cells, goal.cells, strict=True)):
        if tile == 0:
            continue
        row, column = divmod(cell, board.width)
        x, y = column * _CELL + _EDGE, row * _CELL + _EDGE
        face, ink = (
            (palette.home, palette.home_ink) if tile == home else (palette.away, palette.away_ink)
        )
        yield f'<rect x="{x + _GAP}" y="{y + _GAP}" width="{side}" height="{side}" '
        yield f'rx="{_ROUND}" fill="{face}"/>'
        yield f'<text x="{x + _CELL // 2}" y="{y + _CELL // 2}" dy=".35em" fill="{ink}">{tile}'
        yield "</text>"
    yield "</g></svg>\n"


def _field(board: Board, goal: Board) -> Iterator[str]:
    """One pixel a tile, enlarged: shapes for each of many thousand tiles would be megabytes."""
    pixels = b64encode(encode_png(place_colours(board, goal))).decode()
    shown_height = max(1, round(_PIXELS_WIDE * board.height / board.width))
    yield _opening(board, board.width, board.height, _PIXELS_WIDE, shown_height)
    yield f'<image width="{board.width}" height="{board.height}" image-rendering="pixelated" '
    yield f'preserveAspectRatio="none" href="data:image/png;base64,{pixels}"/></svg>\n'


def _opening(board: Board, width: int, height: int, shown_width: int, shown_height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{shown_width}" height="{shown_height}" role="img">'
        f"<title>{board.size}</title>"
    )
