"""A large board as it gets better: moves in words, what is tried, what pays, the end, search on."""

from __future__ import annotations

import re
import time
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Page, Route, expect

from tests.system.browsing import DEVICES, OpenPage
from tests.system.pages.rules import faults
from tests.system.pages.visitor import JOB_ADDRESS, give, overflow, part
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

pytestmark = pytest.mark.browser

TIME_S = 15
NARROW = {"viewport": {"width": 390, "height": 844}}
MEANING = re.compile(
    r"^([\d,]+) moves; the shortest has at least ([\d,]+), so this is at most (?:([\d.]+)% longer|"
    r"[\d.]+ times as long)\.$"
)
TRIES = re.compile(
    r"^(a search of the whole board, [\d,]+ boards wide(, seen in another way \(view \d+\))?"
    r"|another solution of the whole board, .*"
    r"|windows of \d+ moves along moves [\d,]+ to [\d,]+)$"
)
# A board for each device: what is known of one would answer for the other.
SEEDS = {device: seed for seed, device in enumerate(DEVICES, 7)}

# Counts what a reader would feel as flicker: lines taken away, and places that grow smaller.
COUNT_JUMPS = """() => {
  window.jumps = [];
  const list = document.querySelector("[data-part=trying]");
  let height = 0;
  new MutationObserver(() => {
    if (list.offsetParent === null) return;
    if (list.offsetHeight < height) window.jumps.push(`${height} to ${list.offsetHeight}`);
    if (!list.textContent) window.jumps.push("nothing is told");
    height = list.offsetHeight;
  }).observe(list, { childList: true, subtree: true, characterData: true });
}"""

# Notes what the browser would show; a browser without a screen refuses the real ones.
NOTE_NOTIFICATIONS = """
  window.told = [];
  window.Notification = class extends EventTarget {
    static permission = "default";
    static async requestPermission() { return (this.permission = window.answer ?? "granted"); }
    constructor(title, options) {
      super();
      if (Notification.permission === "granted") window.told.push(`${title} | ${options.body}`);
    }
  };
"""


def large_board(seed: int, seconds: float) -> dict[str, Any]:
    size = Size(10, 10)
    board = scramble(size, blank_last(size), seed=seed)
    return {"board": " ".join(map(str, board.cells.tolist())), "time_limit_s": seconds}


def submit(page: Page, seed: int, seconds: float) -> str:
    sent = page.request.post("/api/v1/jobs", data=large_board(seed, seconds))
    assert sent.ok
    return str(sent.json()["id"])


@pytest.fixture(scope="module", autouse=True)
def awake(site: str) -> None:
    """Have the worker load what improves boards, so that no test waits for it."""
    with httpx2.Client(base_url=site) as visitor:
        job = visitor.post("/api/v1/jobs", json=large_board(1, 120)).json()["links"]["self"]
        deadline = time.monotonic() + 120
        while not (visitor.get(job).json()["improvement"] or {}).get("paid"):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        visitor.delete(job)


def known_moves(page: Page) -> tuple[int, int, str | None]:
    """Moves, the bound and the gap in percent, as the page has them in words."""
    found = MEANING.match(part(page, "meaning").text_content())
    assert found is not None
    return int(found[1].replace(",", "")), int(found[2].replace(",", "")), found[3]


def test_a_large_board_gets_better_before_the_eyes(open_page: OpenPage, device: str) -> None:
    options = NARROW if device == "phone" else {"color_scheme": "dark"}
    page = open_page("/jobs", device=device, **options)
    page.add_init_script(NOTE_NOTIFICATIONS)
    page.goto(f"/jobs/{submit(page, SEEDS[device], TIME_S)}")
    expect(part(page, "again")).to_be_hidden()
    page.get_by_role("button", name="Tell me when it ends").click()
    expect(part(page, "notice")).to_have_attribute("aria-pressed", "true")

    expect(part(page, "meaning")).to_have_text(MEANING)
    first, *_ = known_moves(page)
    expect(part(page, "improvement")).to_be_visible()
    page.evaluate(COUNT_JUMPS)
    for line in part(page, "trying").locator("li").all_text_contents():
        assert TRIES.match(line), line
    expect(part(page, "workers")).to_have_text("1 worker is at it")
    expect(part(page, "improved")).to_have_text(re.compile(r"^last improvement [\d.]+ s ago$"))
    expect(part(page, "progress-text")).to_have_text(re.compile(rf"^\d+ s of {TIME_S} s used$"))
    assert 0 < part(page, "progress").evaluate("(bar) => bar.value") < 1
    page.wait_for_function(
        """(moves) => parseInt(document.querySelector("[data-part=meaning]").textContent
             .replace(",", "")) < moves""",
        arg=first,
    )
    expect(part(page, "chart").locator(".chart-upper")).to_be_visible()
    assert overflow(page) == []
    assert faults(page) == []

    expect(part(page, "state")).to_have_text("solved")
    moves, lower, gap = known_moves(page)
    assert moves < first
    assert gap is not None
    assert float(gap) == pytest.approx(100 * (moves / lower - 1), abs=0.06)
    assert float(part(page, "ratio").text_content()) == pytest.approx(moves / lower, abs=0.0006)
    expect(part(page, "gap")).to_have_text(f"{gap}%")
    expect(part(page, "chart-note")).to_contain_text(f"lower bound, {lower:,}, lies below")
    expect(part(page, "chart").locator(".chart-value-upper")).to_have_text(f"{moves:,}")
    expect(part(page, "trying")).to_be_hidden()
    expect(part(page, "progress-text")).to_be_hidden()
    expect(part(page, "improved")).to_have_text(re.compile(r"^last improvement .* before the end$"))
    assert_pays(page)
    assert page.evaluate("window.jumps") == []
    assert page.evaluate("window.told") == [f"10×10 board: solved | {verdict_of(page)}"]
    expect(part(page, "notice")).to_be_hidden()
    assert overflow(page) == []
    assert faults(page) == []

    before = page.url
    page.get_by_role("button", name="Search on").click()
    expect(page).not_to_have_url(before)
    expect(page).to_have_url(JOB_ADDRESS)
    expect(part(page, "meaning")).to_have_text(MEANING)
    assert known_moves(page)[0] <= moves
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Stop it").click()
    expect(part(page, "state")).to_have_text("cancelled")
    expect(part(page, "again")).to_be_visible()


def verdict_of(page: Page) -> str:
    return str(part(page, "verdict").text_content())


def assert_pays(page: Page) -> None:
    """The table says what the API says."""
    job = page.url.rpartition("/")[2]
    told = page.request.get(f"/api/v1/jobs/{job}").json()["improvement"]["paid"]
    rows = part(page, "paid").locator("tr").all()
    shown = [row.locator("th, td").all_text_contents() for row in rows]
    assert [(int(tries), int(gained.replace(",", ""))) for _, tries, _, gained in shown] == [
        (one["tries"], one["gained"]) for one in told
    ]
    assert shown[0][0] == "The whole board"


def test_without_a_script_one_searches_on_too(open_page: OpenPage) -> None:
    page = open_page("/jobs", java_script_enabled=False)
    job = submit(page, 5, 1)
    deadline = time.monotonic() + 30
    while page.request.get(f"/api/v1/jobs/{job}").json()["finished_at"] is None:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    page.goto(f"/jobs/{job}")
    page.get_by_role("button", name="Search on").click()
    expect(page).to_have_url(JOB_ADDRESS)
    assert job not in page.url


def test_many_tries_at_once_are_told_without_filling_the_page(
    open_page: OpenPage, device: str
) -> None:
    page = open_page(device=device)
    beams = [{"kind": "beam", "width": 4050, "view": view} for view in (0, 3)]
    stretch = {"kind": "windows", "width": 1000, "view": None, "count": 1200, "length": 120}
    windows = [stretch | {"first": first} for first in (3000, 4200, 5400)]
    paid = {"kind": "windows", "length": 120, "tries": 4321, "seconds": 4000.0, "gained": 12345}
    known: dict[str, Any] = {
        "state": "running",
        "created_at": time.time() - 120,
        "finished_at": None,
        "time_limit_s": 3600,
        "lower_bound": 2210,
        "upper_bound": 3120,
        "gap": 910 / 2210,
        "ratio": 3120 / 2210,
        "threshold": None,
        "queue_position": None,
        "improvement": {
            "tries": 9,
            "trying": beams + windows,
            "paid": [paid],
            "improved_at": time.time() - 75,
        },
    }

    def tell(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | known)

    page.route("**/api/v1/jobs/*brief=true", tell)
    give(page, "1 2 3 4 5 6 7 0 8")
    expect(part(page, "meaning")).to_have_text(
        "3,120 moves; the shortest has at least 2,210, so this is at most 41.2% longer."
    )
    expect(part(page, "ratio")).to_have_text("1.412")
    expect(part(page, "workers")).to_have_text("5 workers are at it")
    expect(part(page, "trying").locator("li")).to_have_text(
        [
            "a search of the whole board, 4,050 boards wide",
            "a search of the whole board, 4,050 boards wide, seen in another way (view 3)",
            "windows of 120 moves along moves 3,001 to 4,200",
            "and 2 more",
        ]
    )
    expect(part(page, "paid").locator("th, td")).to_have_text(
        ["Windows of 120 moves", "4,321", "1 h 6 min", "12,345"]
    )
    expect(part(page, "improved")).to_have_text(re.compile(r"^last improvement 1 min 1\d s ago$"))
    expect(part(page, "progress-text")).to_have_text(re.compile(r"^2 min \d s of 1 h 0 min used$"))
    assert overflow(page) == []


def test_a_browser_that_tells_nothing_is_not_asked_to(open_page: OpenPage) -> None:
    page = open_page("/jobs")
    page.add_init_script("delete window.Notification;")
    page.goto(f"/jobs/{submit(page, 5, 2)}")
    expect(part(page, "meaning")).not_to_be_empty()
    expect(part(page, "notice")).to_be_hidden()
    assert httpx2.get(page.url).is_success


def test_a_refused_permission_is_said(open_page: OpenPage) -> None:
    page = open_page("/jobs")
    page.add_init_script(NOTE_NOTIFICATIONS + 'window.answer = "denied";')
    page.goto(f"/jobs/{submit(page, 8, 3)}")
    page.get_by_role("button", name="Tell me when it ends").click()
    expect(part(page, "notice")).to_have_text("The browser does not allow it.")
    expect(part(page, "notice")).to_be_disabled()
