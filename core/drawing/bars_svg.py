"""A chart of bars on a logarithmic scale, as an SVG picture that needs nothing beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from tilework.core.drawing.colours import Theme

_WIDTH: Final = 720
_MARGIN: Final = 24
_HEAD: Final = 48
_ROW: Final = 44
_BAR: Final = 14
_SHORTEST: Final = 3
_ROOM_FOR_NUMBERS: Final = 96
_FONT: Final = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    value: float | None  # at least 1 has a length; None where it is not known
    text: str  # the value as it is written
    strong: bool  # whether it has the first colour


@dataclass(frozen=True, slots=True)
class _Paint:
    ground: str
    ink: str
    soft: str
    strong: str
    weak: str


_PAINTS: Final = {
    Theme.LIGHT: _Paint("#ffffff", "#14213d", "#53607a", "#1d4ea8", "#e0a83a"),
    Theme.DARK: _Paint("#151f34", "#e7edf8", "#a3b2cc", "#8fb4f7", "#e9b452"),
}


def bars_svg(title: str, bars: Sequence[Bar], light: Theme = Theme.LIGHT) -> str:
    """Draw bars one below the other, each under its name; the longest fills the width."""
    return "".join(_pieces(title, bars, _PAINTS[light]))


def _pieces(title: str, bars: Sequence[Bar], paint: _Paint) -> Iterator[str]:
    height = _HEAD + len(bars) * _ROW + _MARGIN
    most = max((bar.value for bar in bars if bar.value is not None), default=1.0)
    room = _WIDTH - 2 * _MARGIN - _ROOM_FOR_NUMBERS
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" font-family="{_FONT}">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{_WIDTH}" height="{height}" rx="10" fill="{paint.ground}"/>'
        f'<text x="{_MARGIN}" y="34" font-size="17" font-weight="600" fill="{paint.ink}">'
        f"{escape(title)}</text>"
    )
    for place, bar in enumerate(bars):
        top = _HEAD + place * _ROW
        share = 0.0 if bar.value is None else math.log1p(bar.value) / math.log1p(most)
        length = 0 if bar.value is None else max(_SHORTEST, round(share * room))
        colour = paint.strong if bar.strong else paint.weak
        yield (
            f'<text x="{_MARGIN}" y="{top + 15}" font-size="13" fill="{paint.soft}">'
            f"{escape(bar.name)}</text>"
            f'<rect x="{_MARGIN}" y="{top + 21}" width="{length}" height="{_BAR}" rx="2" '
            f'fill="{colour}"/>'
            f'<text x="{_MARGIN + length + 6}" y="{top + 33}" font-size="13" font-weight="600" '
            f'fill="{paint.ink}">{escape(bar.text)}</text>'
        )
    yield "</svg>\n"
