"""The pages in a browser: visits, answers, updates of a running search, and frames of a drag.

Each page is opened several times with an empty cache. The time of an answer is measured from the
click on Solve to its first frame, with warm kernels and caches. Rows of tiles are dragged with
touch events; the browser draws without a graphics card. On a busy machine, frames are late, but the
processor time of the page's tasks is not affected.
"""

from __future__ import annotations

import json
import math
import shutil
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from statistics import median, quantiles
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.chromium import SWITCHES
from tests.system.browser import DEVICES
from tests.system.pages.player import Finger, locate_cell
from tools.benchmarks.harness.boards import build_databases, random_board
from tools.benchmarks.harness.report import Figure, Part, run
from tools.benchmarks.harness.system import UNLIMITED, System, running_system, settle
from tools.benchmarks.running_searches import measure_answers, measure_updates

PAGES: Final = (
    *("/", "/play", "/analyse", "/learn", "/lab", "/compare", "/ways"),
    *("/history", "/statistics", "/openapi"),
)
MAX_KB: Final = {
    "/": 60.0,
    "a job of 4×4": 80.0,
    "a job of 100×100": 170.0,
    "a lab run": 150.0,
}
LAB_RUN: Final[dict[str, str | float | bool]] = {
    "board": "1 2 3 4 0 5 7 8 6",
    "algorithm": "a-star",
    "heuristic": "manhattan",
}
MAX_REQUESTS: Final = 15
SETTLE_MS: Final = 1500
DRAG_STEPS: Final = 40

# Shifts within half a second of an input do not count; here there is no input.
WATCH: Final = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  const shifts = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
  for (const { value } of shifts) globalThis.shifted += value;
}).observe({ type: "layout-shift", buffered: true });
"""
PAINT: Final = """
() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity
"""
COUNT_FRAMES: Final = """
() => {
  globalThis.framesMs = [];
  let last = performance.now();
  const frame = (now) => {
    framesMs.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
"""


class Visit(NamedTuple):
    kilobytes: float
    requests: int
    paint_ms: float
    shift: float


def measure_visits(browser: Browser, system: System, rounds: int) -> Iterator[Figure]:
    client, paths = system.client(), {path: path for path in PAGES}
    for side in (4, 100):
        job = client.solve(random_board(side, 7), target="any")
        paths[f"a job of {side}×{side}"] = f"/jobs/{job['id']}"
    paths["a lab run"] = _record_lab_run(browser, system)
    for path in paths.values():
        _visit(browser, system, path, "desktop")  # fill the server's caches
    for name, path in paths.items():
        desktop, phone = (
            [_visit(browser, system, path, device) for _ in range(rounds)]
            for device in ("desktop", "phone")
        )
        weight = median(visit.kilobytes for visit in desktop)
        yield Figure(f"{name}: over the wire, cold", weight, "KB", MAX_KB.get(name))
        requests = max(visit.requests for visit in desktop)
        yield Figure(f"{name}: requests of a first visit", requests, "", MAX_REQUESTS)
        paint = median(visit.paint_ms for visit in desktop)
        yield Figure(f"{name}: first contentful paint", paint, "ms", 250)
        for device, loads in (("phone", phone), ("desktop", desktop)):
            shift = median(visit.shift for visit in loads)
            yield Figure(f"{name}: layout shift, {device}", shift, "", 0.02)


def _record_lab_run(browser: Browser, system: System) -> str:
    """Record the steps of a search; return the path of its page."""
    page = browser.new_page(base_url=f"http://{system.server}")
    response = page.request.post("/lab", form=LAB_RUN)
    assert response.ok, response.text()
    page.goto(response.url)
    page.locator(".tree").first.wait_for()
    page.close()
    return response.url.removeprefix(f"http://{system.server}")


def measure_running_searches(browser: Browser, system: System, seconds: int) -> Iterator[Figure]:
    """Measure layout shifts while pages show running searches and while these end."""
    settle(system, 5, 10)
    seeds, limit = count(), 0.75 * seconds

    def submit(side: int) -> str:
        job = system.client().submit(random_board(side, next(seeds)), time_limit_s=limit)
        return f"/jobs/{job['id']}"

    def compare() -> str:
        request = {"board": random_board(3, next(seeds)).cells.tolist()}
        return f"/comparisons/{system.client().post('/api/v1/comparisons', request)['id']}"

    searches = {
        "a search of 5×5": lambda: submit(5),
        "a search of 10×10": lambda: submit(10),
        "a comparison": compare,
    }
    for name, start in searches.items():
        for device in ("phone", "desktop"):
            visit = _visit(browser, system, start(), device, 1_000 * seconds)
            label = f"{name}, {seconds} s while it runs and ends: layout shift, {device}"
            yield Figure(label, visit.shift, "", 0.02)


def _visit(
    browser: Browser, system: System, path: str, device: str, watch_ms: int = SETTLE_MS
) -> Visit:
    context = browser.new_context(**DEVICES[device], locale="en-US")
    context.add_init_script(WATCH)
    page = context.new_page()
    session = context.new_cdp_session(page)
    received: list[float] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    session.send("Network.enable")
    page.goto(f"http://{system.server}{path}", wait_until="load")
    page.wait_for_timeout(watch_ms)
    weight = sum(received) / 1000
    visit = Visit(weight, len(received), page.evaluate(PAINT), page.evaluate("() => shifted"))
    context.close()
    return visit


def measure_dragging(browser: Browser, system: System, drags: int) -> Iterator[Figure]:
    """Measure frames while a finger drags the last row of a board back and forth, on a phone."""
    for side in (4, 6, 20):
        context = browser.new_context(base_url=f"http://{system.server}", **DEVICES["phone"])
        page = context.new_page()
        boards = (random_board(side, seed) for seed in count())
        # Drags start at the blank.
        board = next(board for board in boards if board.blank == side * side - 1)
        page.goto(f"/play?board={' '.join(map(str, board.cells.tolist()))}")
        page.locator(".tile").first.wait_for()
        page.wait_for_timeout(SETTLE_MS)
        browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
        frames = _record_frames(page, side, drags)
        longest = _find_longest_task_ms(json.loads(browser.stop_tracing())["traceEvents"])
        context.close()
        name = f"{side}×{side}, dragging a row"
        yield Figure(f"{name}, longest task of the page, processor time", longest, "ms", 50)
        yield Figure(f"{name}, frame, median", median(frames), "ms")
        yield Figure(f"{name}, frame, p99", quantiles(frames, n=100)[-1], "ms", 50)


def _record_frames(page: Page, side: int, drags: int) -> list[float]:
    finger, row = Finger(page), (side * (side - 1), side * side - 1)
    cell = locate_cell(page, 1)[0] - locate_cell(page, 0)[0]
    page.evaluate(COUNT_FRAMES)
    for drag in range(drags):
        towards = -1 if drag % 2 else 1
        finger.down(*locate_cell(page, row[drag % 2]))
        for step in range(1, DRAG_STEPS + 1):
            share = step / DRAG_STEPS
            finger.move(towards * cell * (share + 0.3 * math.sin(share * 4 * math.pi)), 0)
        finger.up()
        page.wait_for_timeout(200)
    assert int(page.locator('[data-part="moves"]').inner_text()) == drags * (side - 1)
    return list(page.evaluate("() => framesMs.slice(1)"))


def _find_longest_task_ms(events: Sequence[dict[str, Any]]) -> float:
    """Return the greatest processor time of a task in the page's main thread."""
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event["tdur"] / 1_000
        for event in events
        if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in threads
        if "tdur" in event
    ]
    return float(max(tasks))


def make_part(measure: Callable[[Browser, System, int], Iterator[Figure]], option: str) -> Part:
    """Return a part that is measured with a new browser and system."""

    def figures(options: Namespace) -> Iterator[Figure]:
        settings = {**UNLIMITED, "pdb_dir": build_databases(4, 5), "pdb_build": False}
        with running_system(workers=1, **settings) as system, sync_playwright() as playwright:
            chromium = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=chromium, args=SWITCHES)
            yield from measure(browser, system, getattr(options, option))
            browser.close()

    return figures


if __name__ == "__main__":
    run(
        "pages",
        __doc__,
        {
            "visits": make_part(measure_visits, "rounds"),
            "live": make_part(measure_running_searches, "seconds"),
            "answers": make_part(measure_answers, "rounds"),
            "alive": make_part(measure_updates, "seconds"),
            "dragging": make_part(measure_dragging, "drags"),
        },
        f"{{drags}} drags of a whole row on a phone's page, {DRAG_STEPS} events each. "
        "Pages of running searches are watched for {seconds} s each.",
        rounds=5,
        seconds=30,
        drags=8,
    )
