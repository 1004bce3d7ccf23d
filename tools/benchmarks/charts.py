"""Charts as SVG: bars, and points or lines over logarithmic or even axes.

A chart has its own background and follows the reader's choice of light or dark, so that it can be
read on any page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 40, 84, 48

Points = Sequence[tuple[float, float]]
Bar = tuple[str, float, str, int]
"""Its label, its value, the value as text, and its colour."""

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 16px } .small { fill: #59636e; font-size: 12px }
  .back { fill: #ffffff } .grid { stroke: #d1d9e0 } .bar-line { stroke: #d1242f }
  path { fill: none; stroke-width: 2 } .grid, .bar-line { stroke-width: 1 }
  .c0 { stroke: #0969da } .c1 { stroke: #bc4c00 } .c2 { stroke: #1a7f37 }
  .c3 { stroke: #8250df } .c4 { stroke: #6e7781 }
  .f0 { fill: #0969da } .f1 { fill: #bc4c00 } .f2 { fill: #1a7f37 }
  .f3 { fill: #8250df } .f4 { fill: #6e7781 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 }
    .back { fill: #0d1117 } .grid { stroke: #3d444d } .bar-line { stroke: #f85149 }
    .c0 { stroke: #58a6ff } .c1 { stroke: #f0883e } .c2 { stroke: #3fb950 }
    .c3 { stroke: #bc8cff } .c4 { stroke: #9198a1 }
    .f0 { fill: #58a6ff } .f1 { fill: #f0883e } .f2 { fill: #3fb950 }
    .f3 { fill: #bc8cff } .f4 { fill: #9198a1 }
  }
"""


class Axis:
    """Maps values to coordinates; ticks are values with their labels."""

    def __init__(
        self, start: float, end: float, ticks: Mapping[float, str], *, logarithmic: bool = True
    ) -> None:
        self.ticks = ticks
        self._map = log10 if logarithmic else float
        self._low, self._high = self._map(min(ticks)), self._map(max(ticks))
        self._start, self._end = start, end

    def place(self, value: float) -> float:
        share = (self._map(value) - self._low) / (self._high - self._low)
        return round(self._start + share * (self._end - self._start), 1)


def horizontal(ticks: Mapping[float, str], *, logarithmic: bool = True) -> Axis:
    return Axis(LEFT, WIDTH - RIGHT, ticks, logarithmic=logarithmic)


def vertical(ticks: Mapping[float, str], *, logarithmic: bool = True) -> Axis:
    return Axis(HEIGHT - BOTTOM, TOP, ticks, logarithmic=logarithmic)


def _text(x: float, y: float, content: str, classes: str = "", anchor: str = "start") -> str:
    return (
        f'<text x="{x}" y="{y}" class="{classes}" text-anchor="{anchor}">{escape(content)}</text>'
    )


def _frame(title: str, subtitle: str, parts: Sequence[str]) -> str:
    body = "\n".join([_text(16, 26, title, "title"), _text(16, 46, subtitle, "small"), *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" class="back"/>\n{body}\n</svg>\n'
    )


def draw_series(
    title: str,
    subtitle: str,
    axes: tuple[Axis, Axis],
    series: Mapping[str, Points],
    *,
    lines: bool = True,
    bar: float | None = None,
) -> str:
    """Draw each series in its own colour, and a line at a bar that should not be exceeded."""
    across, up = axes
    parts = []
    for value, label in up.ticks.items():
        y = up.place(value)
        parts.append(f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>')
        parts.append(_text(LEFT - 8, y + 4, label, "small", "end"))
    for value, label in across.ticks.items():
        parts.append(_text(across.place(value), HEIGHT - BOTTOM + 20, label, "small", "middle"))
    if bar is not None:
        parts.append(f'<path class="bar-line" d="M{LEFT} {up.place(bar)}H{WIDTH - RIGHT}"/>')
    x = LEFT
    for colour, (name, points) in enumerate(series.items()):
        placed = [(across.place(x), up.place(y)) for x, y in points]
        if lines:
            path = "L".join(f"{x} {y}" for x, y in placed)
            parts.append(f'<path class="c{colour}" d="M{path}"/>')
        parts += [f'<circle class="f{colour}" cx="{x}" cy="{y}" r="3.5"/>' for x, y in placed]
        parts.append(f'<circle class="f{colour}" cx="{x}" cy="62" r="5"/>')
        parts.append(_text(x + 10, 66, name))
        x += 34 + 7 * len(name)
    return _frame(title, subtitle, parts)


def draw_bars(title: str, subtitle: str, ticks: Mapping[float, str], bars: Sequence[Bar]) -> str:
    """Draw horizontal bars, each with its label to the left and its value at its end."""
    across = Axis(280, WIDTH - 90, ticks)
    step = (HEIGHT - TOP - 24) / len(bars)
    parts = []
    for value, label in ticks.items():
        x = across.place(value)
        parts.append(f'<path class="grid" d="M{x} {TOP - 8}V{HEIGHT - 36}"/>')
        parts.append(_text(x, HEIGHT - 16, label, "small", "middle"))
    for number, (name, value, text, colour) in enumerate(bars):
        y, end = round(TOP + number * step, 1), across.place(value)
        middle = round(y + step / 2, 1)
        width = round(end - across.place(min(ticks)), 1)
        parts.append(_text(270, middle, name, "", "end"))
        if value > min(ticks):
            place = f'x="280" y="{y}" width="{width}" height="{round(step * 0.7, 1)}"'
            parts.append(f'<rect class="f{colour}" rx="3" {place}/>')
        parts.append(_text(end + 8, middle, text))
    return _frame(title, subtitle, parts)
