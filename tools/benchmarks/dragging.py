"""Frames while rows of tiles are dragged on the page on which people play, as a phone shows it.

Usage: python -m tools.benchmarks.dragging

A finger drags the last row to and fro, by the browser's own events of touch. The browser draws
without a graphics card. Where others use the machine, frames wait for them; the processor time of
the page's own tasks does not.
"""

from __future__ import annotations

import json
import math
import shutil
import statistics
import tempfile
from itertools import count
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.chromium import SWITCHES
from tests.support.serving import served
from tests.system.browsing import DEVICES
from tests.system.pages.player import Finger, cell_middle
from tilework.core.assembly import make_services
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.ports import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app
from tools.benchmarks.report import Figure, record

BAR_MS: Final = 50
SIDES: Final = (4, 6, 20)
DRAGS: Final = 8
STEPS: Final = 40

_COUNT_FRAMES = """() => {
  window.frames_ms = [];
  let before = performance.now();
  const frame = (now) => {
    window.frames_ms.push(now - before);
    before = now;
    window.counting = requestAnimationFrame(frame);
  };
  window.counting = requestAnimationFrame(frame);
}"""
_STOP = "() => { cancelAnimationFrame(window.counting); return window.frames_ms.slice(1); }"


def main() -> None:
    """Measure and record."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        settings = Settings.model_validate({"data_dir": folder})
        upgrade(settings.database)
        app = create_app(settings, make_services(settings, NoTickets()))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=SWITCHES
        )
        with served(app, settings) as address:
            figures = [figure for side in SIDES for figure in _measured(browser, address, side)]
        browser.close()
    record(
        "dragging",
        figures,
        notes=f"{DRAGS} drags of a whole row on a phone's page, {STEPS} events each.",
    )


def _measured(browser: Browser, address: str, side: int) -> list[Figure]:
    context = browser.new_context(base_url=address, **DEVICES["phone"])
    page = context.new_page()
    page.goto(f"/play?board={' '.join(map(str, _board(side).cells.tolist()))}")
    page.locator(".tile").first.wait_for()
    page.wait_for_timeout(1_000)
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    frames = _frames(page, side)
    longest = _longest_task_ms(json.loads(browser.stop_tracing()))
    context.close()
    name = f"{side}×{side}, a row dragged"
    return [
        Figure(f"{name}, longest task of the page, processor time", longest, "ms", BAR_MS),
        Figure(f"{name}, frame, median", statistics.median(frames), "ms"),
        Figure(f"{name}, frame, 99 of 100", statistics.quantiles(frames, n=100)[-1], "ms", BAR_MS),
    ]


def _longest_task_ms(trace: dict[str, Any]) -> float:
    """Return the most processor time that one task of the page's own thread has taken.

    A frame waits for no more than that, where nobody else uses the machine.
    """
    events = trace["traceEvents"]
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event["tdur"] / 1_000
        for event in events
        if event["name"].endswith("RunTask")
        and (event["pid"], event["tid"]) in threads
        and "tdur" in event
    ]
    return float(max(tasks))


def _board(side: int) -> Board:
    """Return a random board whose blank is where the drags begin, in the last cell."""
    goal = blank_last(Size(side, side))
    boards = (scramble(goal.size, goal, seed) for seed in count())
    return next(board for board in boards if board.blank == goal.blank)


def _frames(page: Page, side: int) -> list[float]:
    """Milliseconds from frame to frame while the last row goes to and fro."""
    finger = Finger(page)
    first, last = side * (side - 1), side * side - 1
    cell = cell_middle(page, 1)[0] - cell_middle(page, 0)[0]
    page.evaluate(_COUNT_FRAMES)
    for drag in range(DRAGS):
        towards = 1 if drag % 2 == 0 else -1
        finger.down(*cell_middle(page, first if towards > 0 else last))
        for step in range(1, STEPS + 1):
            share = step / STEPS
            wave = 0.3 * math.sin(share * 4 * math.pi)
            finger.move(towards * cell * (share + wave), 0)
        finger.up()
        page.wait_for_timeout(200)
    moves = page.locator('[data-part="moves"]').inner_text()
    assert int(moves) == DRAGS * (side - 1), "the row was not dragged"
    return list(page.evaluate(_STOP))


if __name__ == "__main__":
    main()
