import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import find_overflow, part

HYPHEN = "\N{NON-BREAKING HYPHEN}"
RECORD_NODES = """() => {
  const nodes = document.querySelector('[data-part="nodes"]');
  globalThis.shownNodes = [];
  const record = () => globalThis.shownNodes.push(nodes.textContent);
  const changes = { childList: true, characterData: true, subtree: true };
  new MutationObserver(record).observe(nodes, changes);
}"""
HARD_BOARD = "17 20 1 19 22 12 0 24 21 4 16 2 11 10 13 6 3 14 23 5 18 7 9 15 8"


def open_fake_job(open_page: OpenPage, web: str, **options: Any) -> tuple[Page, dict]:
    """Open a job without workers; also return the fields that override its responses."""
    page = open_page(base_url=web, expected="ERR_FAILED|409|503", **options)
    job = page.request.post("/api/v1/jobs", data={"board": HARD_BOARD}).json()
    status: dict[str, object] = {"state": "running", "lower_bound": 97, "upper_bound": 115}

    def respond(route: Route) -> None:
        headers = {key: value for key, value in route.request.headers.items() if "match" not in key}
        url = route.request.url.partition("&wait")[0]
        response = route.fetch(url=url, headers=headers)
        route.fulfill(response=response, json=response.json() | status)

    page.route("**/api/v1/jobs/*brief=true*", respond)
    page.route("**/api/v1/jobs/*/activity", respond)
    page.route("**/events?*", lambda route: route.fulfill(status=503))
    page.route(re.compile("/solution[/?]"), lambda route: route.abort())
    page.goto(f"/jobs/{job['id']}")
    return page, status


SCREENS = [
    ("desktop", 1440, 900, ["verdict", "chart", "elapsed", "cancel"]),
    ("phone", 390, 844, ["verdict", "cancel", "chart"]),
]
LABELS = {
    "en-US": ("Stop", "Stopping keeps the best solution and the bounds.", "9.9%"),
    "pt-BR": ("Parar", "Ao parar, a melhor solução e os limites são mantidos.", "9,9%"),
}


@pytest.mark.parametrize("locale", LABELS)
@pytest.mark.parametrize(("device", "width", "height", "parts"), SCREENS)
def test_chart_bounds_and_stop_are_on_the_first_screen(
    open_page: OpenPage, web: str, device: str, width: int, height: int, parts: list, locale: str
) -> None:
    viewport = {"width": width, "height": height}
    page, status = open_fake_job(open_page, web, device=device, viewport=viewport, locale=locale)
    now = time.time()
    status |= {"lower_bound": 102, "upper_bound": 112, "created_at": now - 60, "gap": 10 / 102}
    lengths = [(120, "constructive"), (114, "beam"), (112, "windows")]
    events = [
        {"time": now - 60 + 20 * number, "lower_bound": 102, "upper_bound": moves}
        | {"number": number, "method": method}
        for number, (moves, method) in enumerate(lengths)
    ]
    page.route("**/history", lambda route: route.fulfill(json={"events": events}))
    page.reload()
    expect(part(page, "chart").locator(".chart-value-upper")).to_have_text("112")
    for name in parts:
        box = part(page, name).bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height, name
    stop, kept, gap = LABELS[locale]
    button = page.get_by_role("button", name=stop, exact=True)
    expect(button).to_have_accessible_description(kept)
    part(page, "log-box").locator("summary").click()
    newest = part(page, "log").locator("tr").first.locator("td")
    expect(newest.nth(1)).to_have_text("112")
    expect(newest.nth(3)).to_have_text(gap)
    assert find_overflow(page) == []
    assert find_violations(page) == []


def test_announced_status_matches_the_page(open_page: OpenPage, web: str) -> None:
    page, status = open_fake_job(open_page, web)
    expect(part(page, "announce")).to_have_text("searching: Best: 115 moves · optimal: at least 97")
    expect(part(page, "announce")).to_have_attribute("aria-live", "polite")
    for upper_bound in (113, 111):
        status["upper_bound"] = upper_bound
        text = f"Best: {upper_bound} moves · optimal: at least 97"
        expect(part(page, "verdict")).to_have_text(text)
        expect(part(page, "announce")).to_have_text(f"searching: {text}")
        # Updates are not announced every second.
        expect(part(page, "announce")).to_have_attribute("aria-live", "off")
    # The speed while it searched is not left standing at its end.
    status["nodes_per_s"] = 9_250
    expect(part(page, "rate")).to_have_text("9,250")
    now = time.time()
    cancel = part(page, "cancel").locator("button")
    expect(cancel).to_have_accessible_description(
        "Stopping keeps the best solution and the bounds."
    )
    cancel.focus()
    status |= {"state": "expired", "created_at": now - 0.21, "finished_at": now}
    status |= {"nodes": 30_900, "nodes_per_s": 86_500}
    expect(part(page, "announce")).to_have_text(f"time limit reached: {text}")
    expect(part(page, "announce")).to_have_attribute("aria-live", "polite")
    expect(cancel).to_have_count(0)
    expect(page.locator("#content")).to_be_focused()
    page.get_by_role("tab", name="Certificate").click()
    expect(part(page, "certificate")).to_contain_text("a proof of the lower bound")
    # A speed that does not agree with the nodes and the time is not shown.
    expect(part(page, "nodes")).to_have_text("30,900")
    expect(part(page, "rate")).to_be_hidden()


def test_shown_nodes_never_fall(open_page: OpenPage, web: str) -> None:
    page, status = open_fake_job(open_page, web)
    status |= {"created_at": time.time(), "started_at": time.time(), "finished_at": None}
    reports = [10_000_000 * number for number in range(1, 6)]
    status["nodes"] = reports[0]
    polled: list[int] = []

    def respond(route: Route) -> None:
        polled.append(reports[min(len(polled), len(reports) - 1)])
        fields = {"nodes": polled[-1], "threshold": None, "trials": None, "work": []}
        route.fulfill(json=fields | {"nodes_per_s": status.get("nodes_per_s", 0)})

    page.route("**/activity", respond)
    page.reload()
    page.evaluate(RECORD_NODES)
    expect(part(page, "nodes")).to_have_text("50,000,000", timeout=60_000)
    # The deadline cuts off the search just after its last report.
    now = time.time()
    status |= {"state": "bounded", "finished_at": now, "nodes": 50_000_000, "nodes_per_s": 9e6}
    expect(part(page, "state")).to_have_text("solution found")
    expect(part(page, "nodes")).to_have_text("50,000,000")
    shown = [int(text.replace(",", "")) for text in page.evaluate("globalThis.shownNodes")]
    assert shown == sorted(shown)
    assert len(shown) > len(reports)
    assert shown[-1] == reports[-1]


def test_all_details_of_a_search_are_shown(open_page: OpenPage, web: str) -> None:
    page, status = open_fake_job(open_page, web, device="phone")
    status |= {
        "created_at": time.time(),
        "finished_at": None,
        "options": {"target": "optimal", "time_limit_s": 600},
        "upper_bound": 103,
        "gap": 6 / 97,
        "threshold": 97,
        "progress": 0.374,
        "nodes": 48_113_209_776,
        "nodes_per_s": 118.4e6,
        "seconds_left": 7_000.0,
        "seconds_left_factor": 2.1,
        "threshold_seconds_left": 250.0,
        "threshold_seconds_left_factor": 2.1,
        "engine": "5x5 5-5-5-5-4 r10",
        "building": {"partition": "5x5 6-6-6-6", "fraction": 0.4},
    }
    expect(part(page, "verdict")).to_have_text("Best: 103 moves · optimal: at least 97")
    text = "Searching for a solution of 97 moves: 37.4% done"
    expect(part(page, "progress-text")).to_have_text(text)
    expect(part(page, "progress")).to_have_js_property("value", 0.374)
    expect(part(page, "nodes")).to_have_text("48,113,209,776")
    expect(part(page, "rate")).to_have_text("118 million")
    expect(part(page, "left")).to_have_text("about 2 h")
    expect(part(page, "left-range")).to_have_text("(55 min – 4 h)")
    expect(part(page, "left-threshold")).to_have_text("· about 4 min left (2–9 min)")
    expect(part(page, "limit")).to_contain_text("be reached in 10 min, possibly before the proof")
    partition, better_partition = (name.replace("-", HYPHEN) for name in ("5-5-5-5-4", "6-6-6-6"))
    expect(part(page, "engine")).to_have_text(f"Heuristic: pattern databases {partition}.")
    expect(part(page, "building")).to_contain_text(f"pattern databases, {better_partition}: 40%")
    expect(part(page, "certificate")).to_be_hidden()
    assert find_overflow(page) == []


def test_figures_agree_in_portuguese(open_page: OpenPage, web: str) -> None:
    page, status = open_fake_job(open_page, web, locale="pt-BR", device="phone")
    now = time.time()
    # 1361 / 450 = 3.0244…, rounded up because the page says "at most".
    status |= {"lower_bound": 450, "upper_bound": 1_361, "gap": 911 / 450}
    paid = {"kind": "windows", "length": 32, "trials": 120, "seconds": 666.0, "gained": 48}
    status["trials"] = {"ended": 120, "pending": [], "statistics": [paid], "improved_at": now}
    text = "No máximo 3,025 vezes o comprimento ótimo."
    expect(part(page, "meaning")).to_have_text(text)
    paid_table = part(page, "paid-box")
    paid_table.locator("summary").click()
    expect(paid_table.get_by_role("columnheader").nth(2)).to_have_text("Tempo dos processos")
    expect(paid_table.get_by_role("cell").nth(1)).to_have_text("11 min 6 s")
    assert find_overflow(page) == []
