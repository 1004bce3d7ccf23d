"""The charts of comparisons choose their figure; the tables fit; lists that go on show it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.rules import faults
from tests.system.pages.visitor import overflow, part

pytestmark = pytest.mark.browser

METHODS = ["a-star:manhattan", "a-star-decrease-key:manhattan", "breadth-first"]
LONG_NAMES = ["depth-first-unchecked", "a-star:hamming-diagonal", "backtracking-visited"]


def wait_for_end(page: Page) -> None:
    expect(page.locator(".badge-finished")).to_be_visible(timeout=90_000)


def made(page: Page, **asked: object) -> str:
    sent = page.request.post("/api/v1/comparisons", data={"methods": METHODS} | asked)
    assert sent.ok, sent.text()
    return f"/comparisons/{sent.json()['id']}"


def test_a_chart_shows_the_figure_that_is_chosen(open_page: OpenPage, device: str) -> None:
    page = open_page("/statistics", device=device)
    page.goto(made(page, board="1 2 3 4 5 0 6 7 8"))
    wait_for_end(page)
    panel = page.locator('[data-chart="generated"]')
    expect(panel.locator(".bars-value")).to_have_count(3)
    panel.get_by_label("Figure shown").select_option("memory_bytes")
    expect(panel.get_by_role("heading")).to_contain_text("Memory")
    expect(panel.locator(".bars-value").first).to_contain_text("kB")
    with page.expect_download() as waiting:
        panel.get_by_role("button", name="SVG").click()
    assert waiting.value.suggested_filename == "memory-bytes.svg"
    assert "Memory" in waiting.value.path().read_text(encoding="utf-8")
    assert overflow(page) == []
    assert faults(page) == []


def test_a_log_scale_has_dots_and_another_bars(open_page: OpenPage) -> None:
    page = open_page("/statistics")
    page.goto(made(page, board="1 2 3 4 5 0 6 7 8"))
    wait_for_end(page)
    for chart, name in (("generated", "circle"), ("length", "rect")):
        panel = page.locator(f'[data-chart="{chart}"]')
        expect(panel.locator(f"{name}.bars-optimal")).to_have_count(3)
        expect(panel.locator(".bars-optimal")).to_have_count(3)
    expect(page.locator('[data-chart="length"] [data-part="log"]')).to_be_hidden()


def test_a_sweep_shows_another_figure_by_depth(open_page: OpenPage) -> None:
    page = open_page("/statistics")
    sweep = {"boards": 4, "moves": 12, "seed": 2, "width": 3, "height": 3}
    page.goto(made(page, sweep=sweep))
    wait_for_end(page)
    expect(page.locator(".sweep-line")).to_have_count(3)
    page.get_by_label("Figure shown").select_option("length")
    heading = page.get_by_role("heading", name="Length of the solution by depth")
    expect(heading).to_be_visible()
    expect(part(page, "chart-words")).to_contain_text("Length of the solution: 4 boards of")
    page.get_by_text("As a table").click()
    # All three promise the shortest: at each depth the median is the depth.
    for row in part(page, "depths").locator("tbody tr").all():
        assert len(set(row.locator("th, td").all_text_contents())) == 1


@pytest.mark.parametrize("locale", ["en-US", "pt-BR"])
@pytest.mark.parametrize("sweep", [False, True])
def test_the_table_fits_a_window_of_1280(open_page: OpenPage, locale: str, sweep: bool) -> None:
    page = open_page("/statistics", locale=locale)
    many = {"boards": 12, "moves": 30, "seed": 1, "width": 3, "height": 3}
    asked = {"sweep": many} if sweep else {"board": "7 5 8 2 3 4 1 0 6"}
    page.goto(made(page, **asked, methods=[*METHODS, *LONG_NAMES]))
    wait_for_end(page)
    room = page.locator(".table-scroll", has=page.locator(".runs"))
    assert room.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_the_heuristics_say_that_they_go_on_beyond_a_phone(open_page: OpenPage) -> None:
    page = open_page("/compare", device="phone")
    assert page.locator(".matrix-scroll").evaluate("(one) => one.scrollWidth > one.clientWidth")
    expect(page.locator(".matrix-hint")).to_be_visible()
    page = open_page("/compare")
    expect(page.locator(".matrix-hint")).to_be_hidden()
