import re
import time

from playwright.sync_api import Route, expect

from tests.support.instances import load_instances
from tests.system.browser import OpenPage
from tests.system.pages.visitor import find_overflow, part, submit_board

BOUNDS = re.compile(r"^\d+–\d+$")
HYPHEN = "\N{NON-BREAKING HYPHEN}"
TIME_LEFT = re.compile(r"^\s*(not known yet|about \d+ \w+)\s*$")
INSTANCE = load_instances("korf50_24puzzle.txt")[-1]


def test_bounds_improve_on_the_page(open_page: OpenPage) -> None:
    page = open_page()

    def read_bounds() -> tuple[int, int]:
        expect(part(page, "bounds")).to_have_text(BOUNDS)
        lower, upper = part(page, "bounds").text_content().split("–")
        return int(lower), int(upper)

    submit_board(page, " ".join(map(str, INSTANCE.tiles)), goal="blank-first")
    first_bounds = read_bounds()
    expect(part(page, "left")).to_have_text(TIME_LEFT)
    expect(part(page, "certificate")).to_be_hidden()
    page.wait_for_function(
        """(lower) => parseInt(document.querySelector("[data-part=bounds]").textContent) > lower""",
        arg=first_bounds[0],
    )
    assert read_bounds()[1] <= first_bounds[1]
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Stop").click()
    expect(part(page, "state")).to_have_text("cancelled")
    expect(part(page, "left")).to_be_hidden()
    expected = f"every solution has at least {read_bounds()[0]} moves"
    expect(part(page, "certificate")).to_contain_text(expected)


def test_all_details_of_a_search_are_shown(open_page: OpenPage) -> None:
    page = open_page(device="phone")
    search: dict[str, object] = {
        "state": "running",
        "created_at": time.time(),
        "finished_at": None,
        "time_limit_s": 600,
        "lower_bound": 97,
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
        "building": {"partition": "5x5 6-6-6-6", "share": 0.4},
    }

    def respond(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json=response.json() | search)

    page.route("**/api/v1/jobs/*brief=true", respond)
    page.route("**/events?*", lambda route: route.fulfill(status=204))
    submit_board(page, "1 2 3 4 5 6 7 0 8")
    expect(part(page, "verdict")).to_have_text("Best: 103 moves · optimal: at least 97")
    expect(part(page, "bounds")).to_have_text("97–103")
    text = "Searching for a solution of 97 moves: 37.4% done"
    expect(part(page, "progress-text")).to_have_text(text)
    expect(part(page, "progress")).to_have_js_property("value", 0.374)
    expect(part(page, "nodes")).to_have_text("48,113,209,776")
    expect(part(page, "rate")).to_have_text("118M")
    expect(part(page, "left")).to_have_text("about 2 h")
    expect(part(page, "left-range")).to_have_text("(55 min – 4 h)")
    expect(part(page, "left-threshold")).to_have_text("· about 4 min left (2–9 min)")
    expect(part(page, "limit")).to_contain_text("be reached in 10 min, possibly before the proof")
    partition, better_partition = (name.replace("-", HYPHEN) for name in ("5-5-5-5-4", "6-6-6-6"))
    expect(part(page, "engine")).to_have_text(f"Heuristic: pattern databases {partition}.")
    expect(part(page, "building")).to_contain_text(f"pattern databases, {better_partition}: 40%")
    assert find_overflow(page) == []
