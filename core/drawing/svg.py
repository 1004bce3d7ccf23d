"""Boards and bar charts as self-contained SVG, without style sheets, scripts or fonts."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

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


_WIDTH: Final = 720
_MARGIN: Final = 24
_TITLE_HEIGHT: Final = 48
_ROW_HEIGHT: Final = 44
_BAR_HEIGHT: Final = 14
_MIN_LENGTH: Final = 3
_NUMBER_WIDTH: Final = 96
_BARS_FONT: Final = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    value: float | None  # None if unknown
    text: str  # the formatted value
    strong: bool  # whether it is emphasized


@dataclass(frozen=True, slots=True)
class _Colours:
    background: str
    ink: str
    soft: str
    strong: str
    weak: str


_COLOURS: Final = {
    Theme.LIGHT: _Colours("#ffffff", "#14213d", "#53607a", "#1d4ea8", "#e0a83a"),
    Theme.DARK: _Colours("#151f34", "#e7edf8", "#a3b2cc", "#8fb4f7", "#e9b452"),
}


def bars_svg(title: str, bars: Sequence[Bar], theme: Theme = Theme.LIGHT) -> str:
    """Draw horizontal bars, each under its name; the longest fills the width."""
    return "".join(_make_elements(title, bars, _COLOURS[theme]))


def _make_elements(title: str, bars: Sequence[Bar], colours: _Colours) -> Iterator[str]:
    height = _TITLE_HEIGHT + len(bars) * _ROW_HEIGHT + _MARGIN
    # Every search of the goal generates no nodes.
    largest = max((bar.value for bar in bars if bar.value is not None), default=0.0) or 1.0
    width = _WIDTH - 2 * _MARGIN - _NUMBER_WIDTH
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" font-family="{_BARS_FONT}">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{_WIDTH}" height="{height}" rx="10" fill="{colours.background}"/>'
        f'<text x="{_MARGIN}" y="34" font-size="17" font-weight="600" fill="{colours.ink}">'
        f"{escape(title)}</text>"
    )
    for index, bar in enumerate(bars):
        top = _TITLE_HEIGHT + index * _ROW_HEIGHT
        fraction = 0.0 if bar.value is None else math.log1p(bar.value) / math.log1p(largest)
        length = 0 if bar.value is None else max(_MIN_LENGTH, round(fraction * width))
        colour = colours.strong if bar.strong else colours.weak
        yield (
            f'<text x="{_MARGIN}" y="{top + 15}" font-size="13" fill="{colours.soft}">'
            f"{escape(bar.name)}</text>"
            f'<rect x="{_MARGIN}" y="{top + 21}" width="{length}" height="{_BAR_HEIGHT}" rx="2" '
            f'fill="{colour}"/>'
            f'<text x="{_MARGIN + length + 6}" y="{top + 33}" font-size="13" font-weight="600" '
            f'fill="{colours.ink}">{escape(bar.text)}</text>'
        )
    yield "</svg>\n"
