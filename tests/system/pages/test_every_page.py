import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.site import OPERATOR_LINK, site_databases
from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import find_overflow, part, submit_board, wait_for_player
from tilework.core.solver.pdb.builds import BuildProgressFile

BOARD = "1 2 3 4 5 0 6 7 8"
METHODS = ["a-star:manhattan", "breadth-first"]
SWEEP = {"boards": 3, "moves": 8, "seed": 1, "width": 3, "height": 3}
FIXED_PATHS = ("/", "/play", "/analyse", "/ways", "/compare", "/lab", "/history", "/statistics")
FIXED_PATHS += (OPERATOR_LINK, "/operator", "/learn", "/openapi", "/nowhere")
HARD_BOARD = "16 5 1 12 6 24 17 9 2 22 4 10 13 18 19 20 0 23 7 21 15 11 8 3 14"
MAX_DARK_BRIGHTNESS = 60
FIND_SMALL = """(boxes) => boxes
  .filter((box) => box.checkVisibility() && box.offsetHeight < 20).map((box) => box.name)"""


def list_urls(page: Page) -> list[str]:
    """Create an object of each kind; return the URL of a page of each kind."""
    objects = [
        ("jobs", "/jobs", {"board": BOARD}),
        ("comparisons", "/comparisons", {"board": BOARD, "methods": METHODS}),
        ("comparisons", "/comparisons", {"sweep": SWEEP, "methods": METHODS}),
        ("comparisons", "/lab", {"board": BOARD, "methods": METHODS, "trace": {}}),
        ("analyses", "/analyses", {"board": "1 2 3 4 5 6 0 7 8", "moves": "LL"}),
        ("ways", "/ways", {"board": BOARD}),
    ]
    urls = [f"{path}/{_create(page, kind, body)}" for kind, path, body in objects]
    job = urls[0]
    return [*FIXED_PATHS, *urls, f"{job}/sheet", f"/embed{job}"]


def _create(page: Page, kind: str, body: dict[str, object]) -> str:
    response = page.request.post(f"/api/v1/{kind}", data=body)
    assert response.ok, response.text()
    return str(response.json()["id"])


def wait_until_settled(page: Page) -> None:
    """Wait until everything that the page fetches has arrived."""
    page.wait_for_load_state("networkidle")
    for selector in (".clock", '[data-part="controls"]', ".runs"):
        if page.locator(selector).count():
            expect(page.locator(selector).first).to_be_visible()


def read_brightness(page: Page) -> int:
    """Return the brightness of the page's background, from 0 to 255."""
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3])) // 3


NARROW_PHONE = {"viewport": {"width": 320, "height": 640}, "locale": "pt-BR"}
NARROW_PHONE |= {"color_scheme": "light"}


@pytest.mark.parametrize(
    ("device", "options"), [("desktop", {"color_scheme": "dark"}), ("phone", NARROW_PHONE)]
)
def test_every_page_fits_is_accessible_and_lists_its_keys(
    open_page: OpenPage, device: str, options: dict[str, object]
) -> None:
    page = open_page(device=device, expected="404", **options)
    for path in list_urls(page):
        page.goto(path)
        wait_until_settled(page)
        assert find_overflow(page) == [], path
        is_dark = read_brightness(page) < MAX_DARK_BRIGHTNESS
        assert is_dark == (options["color_scheme"] == "dark"), path
        assert page.locator("[type=checkbox]").evaluate_all(FIND_SMALL) == [], path
        expect(page.locator(".board:empty:visible")).to_have_count(0)
        for summary in page.locator("#job summary:visible").all():
            summary.click()
        keys = page.locator("#key-list")
        if keys.count():
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("?")
            expect(keys).to_be_visible()
            assert keys.locator("kbd").count() > 1, path
            assert find_violations(page) == [], path
            page.keyboard.press("Escape")
            expect(keys).to_be_hidden()
        assert find_violations(page) == [], path


def test_question_mark_can_be_typed_in_a_field(open_page: OpenPage, web: str) -> None:
    page = open_page("/lab", base_url=web)
    page.locator("#board").press("?")
    expect(page.locator("#board")).to_have_value(re.compile(r"\?"))
    expect(page.locator("#key-list")).to_be_hidden()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(page.locator("#key-list")).to_be_visible()


def test_page_of_a_long_search_is_accessible(open_page: OpenPage) -> None:
    page = open_page(device="phone", color_scheme="dark")
    submit_board(page, HARD_BOARD)
    with BuildProgressFile(site_databases(), "5x5 6-6-6-6"):
        page.get_by_text("More details").click()
        expect(part(page, "building")).to_be_visible()
        wait_for_player(page)
        expect(part(page, "engine")).to_be_visible()
        assert find_overflow(page) == []
        assert find_violations(page) == []
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("tab", name="Certificate").click()
    expect(part(page, "certificate")).to_be_visible()
    assert find_violations(page) == []


def test_first_tab_skips_to_the_content(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


def test_nothing_moves_with_reduced_motion(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    submit_board(page, "8 6 7 2 5 4 3 0 1")
    wait_for_player(page)
    part(page, "forward").click()
    duration = page.locator(".player .tile").first.evaluate(
        "(tile) => getComputedStyle(tile).transitionDuration"
    )
    assert duration in ("0s", "0ms")
