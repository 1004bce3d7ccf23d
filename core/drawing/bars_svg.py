"""Bar charts with a logarithmic scale, as self-contained SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from tilework.core.drawing.colours import Theme

_WIDTH: Final = 720
_MARGIN: Final = 24
_TITLE_HEIGHT: Final = 48
_ROW_HEIGHT: Final = 44
_BAR_HEIGHT: Final = 14
_MIN_LENGTH: Final = 3
_NUMBER_WIDTH: Final = 96
_FONT: Final = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


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
        f'width="{_WIDTH}" height="{height}" role="img" font-family="{_FONT}">'
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
