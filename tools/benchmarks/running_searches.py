"""The time to an answer, and between updates of a running search, in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from statistics import median
from typing import Final

from playwright.sync_api import Browser, Page

from tests.system.browser import DEVICES
from tests.system.pages.visitor import part
from tilework.core.puzzle.board import Board
from tilework.web.pages.forms import format_board
from tools.benchmarks.harness.boards import distinct_boards, random_board, read_korf50
from tools.benchmarks.harness.report import Figure
from tools.benchmarks.harness.system import System, settle

ANSWERS: Final = {
    3: ("proven optimal", "proven optimal answer", 150.0),
    4: ("proven optimal", "proven optimal answer", 200.0),
    10: (r"\d moves", "first solution", 300.0),
}
"""By side of the board: the pattern of the answer, its name, and the target in milliseconds."""
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
# Times do not count as changes, because they advance without a worker.
WATCH_SEARCH: Final = """
async (milliseconds) => {
  const pulse = document.querySelector('[data-part="pulse"]');
  const readText = () => document.getElementById("job").innerText
    .replace(/[\\d.]+ (s|min)\\b/g, "") + pulse.className;
  let [text, changed, longest] = [readText(), performance.now(), 0];
  for (let now = changed, end = now + milliseconds; now < end; now = performance.now()) {
    longest = Math.max(longest, now - changed);
    if (readText() !== text) [text, changed] = [readText(), now];
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return longest / 1000;
}
"""


def measure_answers(browser: Browser, system: System, rounds: int) -> Iterator[Figure]:
    """Measure the time from the click on Solve to the frame that shows the answer."""
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


def measure_updates(browser: Browser, system: System, seconds: int) -> Iterator[Figure]:
    """Measure the longest time without a change on the page of a running search."""
    settle(system, 5, 10)
    large = {f"{side}×{side}": random_board(side, 11) for side in (10, 20)}
    for name, board in {"hard 5×5": read_korf50()[50].board, **large}.items():
        page = browser.new_page(**DEVICES["desktop"], locale="en-US")
        _submit(page, system, board)
        longest = page.evaluate(WATCH_SEARCH, 1000 * seconds)
        assert part(page, "state").inner_text().casefold() == "searching"
        _cancel(page, system)
        page.close()
        yield Figure(f"{name}: longest time without a change", longest, "s", 2)


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
