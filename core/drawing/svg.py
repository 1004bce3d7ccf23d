"""Boards as self-contained SVG, without style sheets, scripts or fonts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Final

from tilework.core.drawing.board_image import (
    PALETTES,
    Palette,
    Theme,
    encode_png,
    has_numbers,
    tile_colours,
)
from tilework.core.puzzle.board import Board

# In SVG units; a cell includes its gap.
_CELL: Final = 40
_EDGE: Final = 4
_GAP: Final = 2
_RADIUS: Final = 4
_FONT: Final = "Palatino, 'Palatino Linotype', Georgia, serif"
_COLOURS_WIDTH: Final = 600  # width of a board drawn as colours


def board_svg(board: Board, goal: Board, theme: Theme = Theme.LIGHT) -> str:
    """Draw a board with numbered tiles, or as colours if it is large."""
    palette = PALETTES[theme]
    return "".join(
        _make_numbered_elements(board, goal, palette)
        if has_numbers(board.size)
        else _make_colour_elements(board, goal)
    )


def _make_numbered_elements(board: Board, goal: Board, palette: Palette) -> Iterator[str]:
    width, height = (count * _CELL + 2 * _EDGE for count in board.size)
    side = _CELL - 2 * _GAP
    yield _open_svg(board, width, height, width, height)
    yield f'<rect width="{width}" height="{height}" rx="{2 * _RADIUS}" fill="{palette.tray}"/>'
    # All tiles have the same font size, which depends on the largest number.
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
        yield f'rx="{_RADIUS}" fill="{face}"/>'
        yield f'<text x="{x + _CELL // 2}" y="{y + _CELL // 2}" dy=".35em" fill="{ink}">{tile}'
        yield "</text>"
    yield "</g></svg>\n"


def _make_colour_elements(board: Board, goal: Board) -> Iterator[str]:
    """Draw an enlarged picture with one pixel per tile; separate shapes would take megabytes."""
    pixels = b64encode(encode_png(tile_colours(board, goal))).decode()
    display_height = max(1, round(_COLOURS_WIDTH * board.height / board.width))
    yield _open_svg(board, board.width, board.height, _COLOURS_WIDTH, display_height)
    yield f'<image width="{board.width}" height="{board.height}" image-rendering="pixelated" '
    yield f'preserveAspectRatio="none" href="data:image/png;base64,{pixels}"/></svg>\n'


def _open_svg(
    board: Board, width: int, height: int, display_width: int, display_height: int
) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{display_width}" height="{display_height}" role="img">'
        f"<title>{board.size}</title>"
    )
