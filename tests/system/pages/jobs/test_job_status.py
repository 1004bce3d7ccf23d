import time

from playwright.sync_api import Page, Route, expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import part

HARD_BOARD = "17 20 1 19 22 12 0 24 21 4 16 2 11 10 13 6 3 14 23 5 18 7 9 15 8"


def open_fake_job(open_page: OpenPage, web: str) -> tuple[Page, dict]:
    """Open a job without workers; also return the fields that override its responses."""
    page = open_page(base_url=web, expected="ERR_FAILED|503")
    job = page.request.post("/api/v1/jobs", data={"board": HARD_BOARD}).json()
    status: dict[str, object] = {"state": "running", "lower_bound": 97, "upper_bound": 115}

    def respond(route: Route) -> None:
        headers = {key: value for key, value in route.request.headers.items() if "match" not in key}
        response = route.fetch(url=f"{web}/api/v1/jobs/{job['id']}?brief=true", headers=headers)
        route.fulfill(response=response, json=response.json() | status)

    page.route("**/api/v1/jobs/*brief=true*", respond)
    page.route("**/events?*", lambda route: route.fulfill(status=503))
    page.route("**/solution/moves*", lambda route: route.abort())
    page.goto(f"/jobs/{job['id']}")
    return page, status


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
    now = time.time()
    status |= {"state": "expired", "created_at": now - 0.21, "finished_at": now}
    status |= {"nodes": 30_900, "nodes_per_s": 86_500}
    expect(part(page, "announce")).to_have_text(f"time limit reached: {text}")
    expect(part(page, "announce")).to_have_attribute("aria-live", "polite")
    # A speed that does not agree with the nodes and the time is not shown.
    expect(part(page, "nodes")).to_have_text("30.9K")
    expect(part(page, "rate")).to_have_text("–")
