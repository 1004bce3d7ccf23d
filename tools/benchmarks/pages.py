"""The pages in a browser: visits and answers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from statistics import median
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.chromium import SWITCHES
from tests.system.browser import DEVICES
from tilework.core.puzzle.board import Board
from tilework.web.pages.forms import format_board
from tools.benchmarks.boards import build_databases, distinct_boards, random_board
from tools.benchmarks.record import Figure
from tools.benchmarks.system import UNLIMITED, System, running_system, settle

PAGES: Final = (
    *("/", "/play", "/analyse", "/learn", "/lab", "/compare", "/ways"),
    *("/history", "/statistics", "/openapi"),
)
MAX_KB: Final = {"/": 60.0, "a job of 4×4": 80.0, "a job of 100×100": 170.0}
MAX_REQUESTS: Final = 15
PAINT_MS: Final = 250
MAX_SHIFT: Final = 0.02
SETTLE_MS: Final = 1500
ANSWERS: Final = {
    3: ("proven optimal", "proven optimal answer", 150.0),
    4: ("proven optimal", "proven optimal answer", 200.0),
    10: (r"\d moves", "first solution", 300.0),
}
"""By side of the board: the pattern of the answer, its name, and the target in milliseconds."""

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
# The click and the answer are on different pages of one tab.
TIME_ANSWER: Final = """
addEventListener("click", ({ target, timeStamp }) => {
  if (target.closest("#solve-it")) sessionStorage.clicked = performance.timeOrigin + timeStamp;
}, true);
new MutationObserver((_, observer) => {
  const verdict = document.querySelector('[data-part="verdict"]')?.textContent ?? "";
  if (!/ANSWER/.test(verdict)) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { globalThis.answered = performance.now(); }));
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
ANSWER_MS: Final = """
() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
  const shown = Math.max(globalThis.answered, paint); // NaN if one of them is missing
  return shown && performance.timeOrigin + shown - sessionStorage.clicked;
}
"""


def pages(rounds: int = 5) -> Iterator[Figure]:
    """Each page with an empty cache, and the time from the click on Solve to the answer."""
    settings = {**UNLIMITED, "pdb_dir": build_databases(4, 5), "pdb_build": False}
    with running_system(workers=1, **settings) as system, sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=SWITCHES)
        yield from measure_visits(browser, system, rounds)
        yield from measure_answers(browser, system, rounds)
        browser.close()


def measure_visits(browser: Browser, system: System, rounds: int) -> Iterator[Figure]:
    """Each page, opened several times with an empty cache, on a desktop and on a phone."""
    client, paths = system.client(), {path: path for path in PAGES}
    for side in (4, 100):
        job = client.solve(random_board(side, 7), target="any")
        paths[f"a job of {side}×{side}"] = f"/jobs/{job['id']}"
    for path in paths.values():
        visit(browser, system, path, "desktop")  # fill the server's caches
    for name, path in paths.items():
        loads = {
            device: [visit(browser, system, path, device) for _ in range(rounds)]
            for device in ("desktop", "phone")
        }
        weights, requests, paints, _ = zip(*loads["desktop"], strict=True)
        shift = max(median(shift for *_, shift in visits) for visits in loads.values())
        yield Figure(f"{name}: over the wire, cold", median(weights), "KB", MAX_KB.get(name))
        yield Figure(f"{name}: requests of a first visit", max(requests), "", MAX_REQUESTS)
        yield Figure(f"{name}: first contentful paint", median(paints), "ms", PAINT_MS)
        yield Figure(f"{name}: layout shift", shift, "", MAX_SHIFT)


def visit(
    browser: Browser, system: System, path: str, device: str
) -> tuple[float, int, float, float]:
    """Return the kilobytes, requests, milliseconds to the first paint, and layout shift."""
    context = browser.new_context(**DEVICES[device], locale="en-US")
    context.add_init_script(WATCH)
    page = context.new_page()
    session = context.new_cdp_session(page)
    received: list[float] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    session.send("Network.enable")
    page.goto(f"http://{system.server}{path}", wait_until="load")
    page.wait_for_timeout(SETTLE_MS)
    paint_ms, shift = page.evaluate(PAINT), page.evaluate("() => shifted")
    context.close()
    return sum(received) / 1000, len(received), paint_ms, shift


def measure_answers(browser: Browser, system: System, rounds: int) -> Iterator[Figure]:
    """From the click on Solve to the frame that shows the answer, with warm kernels and caches."""
    settle(system, *ANSWERS)
    for side, (pattern, name, bar) in ANSWERS.items():
        context = browser.new_context(**DEVICES["desktop"], locale="en-US")
        context.add_init_script(TIME_ANSWER.replace("ANSWER", pattern))
        page = context.new_page()
        times = []
        for board in islice(distinct_boards(side, 100), rounds + 1):
            _submit(page, system, board)
            times.append(float(page.wait_for_function(ANSWER_MS).json_value()))
            _cancel(page, system)
        context.close()
        yield Figure(f"{side}×{side}: click on Solve to {name}", median(times[1:]), "ms", bar)


def _submit(page: Page, system: System, board: Board) -> None:
    """Type a board on the home page, and click on Solve once the board has been checked."""
    page.goto(f"http://{system.server}/")
    with page.expect_response("**/board/check"):
        page.locator("#board").fill(format_board(board))
    page.wait_for_load_state("networkidle")
    page.locator("#solve-it").click()
    page.locator("#job").wait_for(state="attached")


def _cancel(page: Page, system: System) -> None:
    """Cancel the job of a page, so that the worker is free for the next one."""
    path = page.locator("#job").get_attribute("data-url")
    page.goto("about:blank")
    page.request.delete(f"http://{system.server}{path}")
