import re

import pytest
from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import find_overflow, part
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

TIME_LIMIT_S = 300  # never reached: a click ends the search
VERDICT = re.compile(r"^Best: ([\d,]+) moves · optimal: at least ([\d,]+)$")
MEANING = re.compile(r"^At most (?:([\d.]+)% over|[\d.]+ times) the optimal length\.$")
METHOD = re.compile("Another solution|Beam search|Beginnings|Shortcuts")
USED = re.compile(r"^(\d+ min )?\d+ s of 5 min( 0 s)? used$")

# Records what readers would notice as flicker: removed lines, and elements that shrink.
RECORD_JUMPS = """() => {
  window.jumps = [];
  const list = document.querySelector("[data-part=trying]");
  let height = 0;
  new MutationObserver(() => {
    if (list.offsetParent === null) return;
    if (list.offsetHeight < height) window.jumps.push(`${height} to ${list.offsetHeight}`);
    if (!list.textContent) window.jumps.push("the text is empty");
    height = list.offsetHeight;
  }).observe(list, { childList: true, subtree: true, characterData: true });
}"""

# Records browser notifications; a headless browser does not permit real ones.
RECORD_NOTIFICATIONS = """
  window.notices = [];
  window.Notification = class extends EventTarget {
    static permission = "default";
    static async requestPermission() { return (this.permission = window.answer ?? "granted"); }
    constructor(title, options) {
      super();
      if (Notification.permission === "granted") window.notices.push(`${title} | ${options.body}`);
    }
  };
"""


def submit(page: Page, seed: int) -> str:
    size = Size(10, 10)
    board = " ".join(map(str, scramble(size, blank_last(size), seed=seed).cells.tolist()))
    data = {"board": board, "time_limit_s": TIME_LIMIT_S}
    response = page.request.post("/api/v1/jobs", data=data)
    assert response.ok
    return str(response.json()["id"])


def read_bounds(page: Page) -> tuple[int, int, str | None]:
    """Return moves, bound and gap in percent from the texts of the page."""
    moves, lower = VERDICT.match(read_verdict(page)).groups()
    gap = MEANING.match(part(page, "meaning").text_content())[1]
    return int(moves.replace(",", "")), int(lower.replace(",", "")), gap


def test_large_board_improves_on_the_page(open_page: OpenPage) -> None:
    page = open_page("/jobs", device="phone", color_scheme="dark")
    page.add_init_script(RECORD_NOTIFICATIONS)
    page.goto(f"/jobs/{submit(page, 8)}")
    expect(part(page, "again")).to_be_hidden()
    expect(page).to_have_title(re.compile(r"^searching · (No solution yet|Best: [\d,]+ moves) · "))
    page.get_by_role("button", name="Tell me when it is done").click()
    expect(part(page, "notice")).to_have_attribute("aria-pressed", "true")

    expect(part(page, "meaning")).to_have_text(MEANING)
    first_moves, *_ = read_bounds(page)
    expect(part(page, "improved")).to_be_visible()
    page.evaluate(RECORD_JUMPS)
    expect(part(page, "workers")).to_have_text("1 worker searching")
    expect(part(page, "trying")).to_contain_text(re.compile("looking for"))
    expect(part(page, "marks").locator("rect")).to_have_count(1)
    expect(part(page, "nodes")).not_to_have_text(part(page, "nodes").text_content())
    expect(part(page, "improved")).to_have_text(re.compile(r"^last improved [\d.]+ s ago$"))
    expect(part(page, "progress-text")).to_have_text(USED)
    page.wait_for_function(
        """(moves) => parseInt(document.querySelector("[data-part=verdict] b").textContent
             .replace(",", "")) < moves""",
        arg=first_moves,
    )
    expect(part(page, "chart").locator(".chart-upper")).to_be_visible()
    expect(part(page, "chart").locator(".method-mark title").last).to_have_text(METHOD)
    expect(part(page, "methods").locator("span").last).to_have_text(METHOD)
    page.get_by_text("Log", exact=True).click()
    expect(part(page, "log").locator("td:last-child").first).to_have_text(METHOD)

    page.get_by_role("button", name="Stop").click()
    expect(part(page, "state")).to_have_text("cancelled")
    moves, lower, gap = read_bounds(page)
    assert moves < first_moves
    excess = -(-1000 * (moves - lower) // lower)  # in tenths of a percent, rounded up
    assert float(gap) == pytest.approx(excess / 10)
    expect(part(page, "log").locator("tr").first.locator("td").nth(3)).to_have_text(f"{gap}%")
    expect(part(page, "chart").locator(".chart-value-lower")).to_have_text(f"{lower:,}")
    expect(part(page, "chart").locator(".chart-value-upper")).to_have_text(f"{moves:,}")
    expect(part(page, "trying")).to_be_hidden()
    expect(part(page, "progress-text")).to_be_hidden()
    # Empty if the running trial has just found a better solution.
    expect(part(page, "improved")).to_have_text(re.compile(r"^(last improved .* before the end)?$"))
    check_gain_table(page)
    assert page.evaluate("window.jumps") == []
    assert page.evaluate("window.notices") == [f"10×10 board: cancelled | {read_verdict(page)}"]
    expect(part(page, "notice")).to_be_hidden()
    expect(page.locator('link[rel="icon"]')).to_have_attribute("href", re.compile("favicon_ended"))
    assert find_overflow(page) == []
    assert find_violations(page) == []


def read_verdict(page: Page) -> str:
    return str(part(page, "verdict").text_content())


def check_gain_table(page: Page) -> None:
    """Check that the table agrees with the API."""
    job = page.url.rpartition("/")[2]
    expected = page.request.get(f"/api/v1/jobs/{job}/activity").json()["trials"]["statistics"]
    rows = part(page, "paid").locator("tr").all()
    cells = [row.locator("th, td").all_text_contents() for row in rows]
    assert [(int(tries), int(gain.replace(",", ""))) for _, tries, _, gain in cells] == [
        (kind["trials"], kind["gained"]) for kind in expected
    ]
    assert cells[0][0] == "Beam search"
