"""Take the pictures of the README from a running system: its page of a solved 15-puzzle, and the
solution as an animation of the boards that it draws, each for light and dark screens.

    python -m tools.devtools.readme_pictures http://127.0.0.1:8000
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import httpx2
from playwright.sync_api import Browser, sync_playwright

from tests.support.chromium import SWITCHES
from tilework import Client

FOLDER: Final = Path(__file__).parents[2] / "docs/pictures"
THEMES: Final = ("light", "dark")
BOARD: Final = "13 6 8 12 / 15 14 0 10 / 11 7 4 5 / 9 1 3 2"  # the first of Korf's hundred, turned
_SHOWN_MOVE: Final = 38  # some tiles are at home, others not
_TILE: Final = re.compile(
    r'<rect x="(\d+)" y="(\d+)"[^>]*? fill="(#\w+)"/><text[^>]*? fill="(#\w+)">(\d+)</text>'
)
_START_S, _MOVE_S, _SLIDE_S, _END_S = 1.0, 0.3, 0.15, 3.0

Tile = tuple[int, int, str, str]  # x, y, the colour of its face and that of its number


def take_pictures(server: str, browser: Browser, folder: Path) -> None:
    with Client(server) as client:
        job = client.submit(BOARD, fresh=True).wait()
        length = len(job.solution())
    for theme in THEMES:
        page = browser.new_page(
            viewport={"width": 1280, "height": 800}, color_scheme=theme, locale="en-US"
        )
        page.goto(f"{server}/jobs/{job.id}#move={_SHOWN_MOVE}")
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"page-{theme}.png")
        page.close()
        with httpx2.Client(base_url=f"{server}/jobs/{job.id}/", timeout=60) as http:
            boards = [
                http.get(f"board.svg?theme={theme}&move={move}").text for move in range(length + 1)
            ]
        (folder / f"solution-{theme}.svg").write_text(animate(boards))


def animate(boards: Sequence[str]) -> str:
    """Join drawings of a board, each after one move more, into one that moves."""
    frames = [
        {tile: (int(x), int(y), face, ink) for x, y, face, ink, tile in _TILE.findall(board)}
        for board in boards
    ]
    seconds = _START_S + len(frames) * _MOVE_S + _END_S

    def add_animation(match: re.Match[str]) -> str:
        steps = [frame[match[5]] for frame in frames]
        rect, text = match[0].split("<text")
        slide = "".join(_slide(steps, seconds))
        face, ink = ("".join(_recolour(steps, seconds, index)) for index in (2, 3))
        return (
            f"<g>{slide}{rect.removesuffix('/>')}>{face}</rect>"
            f"<text{text.removesuffix('</text>')}{ink}</text></g>"
        )

    return _TILE.sub(add_animation, boards[0])


def _changes(steps: Sequence[Tile], part: slice) -> Iterator[tuple[float, Tile, Tile]]:
    """Yield when a tile changes, with the values before and after."""
    for index, (before, after) in enumerate(pairwise(steps)):
        if before[part] != after[part]:
            yield _START_S + index * _MOVE_S, before, after


def _slide(steps: Sequence[Tile], seconds: float) -> Iterator[str]:
    x, y = steps[0][:2]
    keys = [(0.0, steps[0])]
    for start, before, after in _changes(steps, slice(2)):
        keys += [(start, before), (start + _SLIDE_S, after)]
    keys.append((seconds, steps[-1]))
    values = ";".join(f"{tile[0] - x},{tile[1] - y}" for _, tile in keys)
    times = ";".join(f"{second / seconds:.5g}" for second, _ in keys)
    yield f'<animateTransform attributeName="transform" type="translate" values="{values}" '
    yield f'keyTimes="{times}" dur="{seconds:g}s" repeatCount="indefinite"/>'


def _recolour(steps: Sequence[Tile], seconds: float, index: int) -> Iterator[str]:
    keys = [(0.0, steps[0])]
    keys += [
        (start + _SLIDE_S, after) for start, _, after in _changes(steps, slice(index, index + 1))
    ]
    if len(keys) > 1:
        values = ";".join(str(tile[index]) for _, tile in keys)
        times = ";".join(f"{second / seconds:.5g}" for second, _ in keys)
        yield f'<animate attributeName="fill" calcMode="discrete" values="{values}" '
        yield f'keyTimes="{times}" dur="{seconds:g}s" repeatCount="indefinite"/>'


if __name__ == "__main__":
    with sync_playwright() as playwright:
        take_pictures(
            sys.argv[1],
            playwright.chromium.launch(executable_path=shutil.which("chromium"), args=SWITCHES),
            FOLDER,
        )
