"""A textbook search asked for as a job, and the neighbour that is not allowed in the lab's tree."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.visitor import open_options, overflow, part, wait_for_player

pytestmark = pytest.mark.browser

BOARD = "8 1 3 4 0 2 7 6 5"


def test_the_figures_come_into_the_page_when_the_search_ends(
    open_page: OpenPage, device: str
) -> None:
    page = open_page(device=device)
    page.goto("/")
    page.get_by_label("Your board").fill(BOARD)
    open_options(page)
    page.get_by_label("Algorithm", exact=True).select_option("a-star")
    page.get_by_label("Heuristic", exact=True).select_option("hamming")
    page.get_by_role("button", name="Solve it").click()
    expect(page.get_by_role("heading", name="A* · Hamming")).to_be_visible()
    wait_for_player(page)
    expect(_figure(page, "visited")).to_have_text("207")
    expect(_figure(page, "max_frontier")).to_have_text("134")
    expect(_figure(page, "seconds")).to_have_text(re.compile(r"^[\d.]+ s$"))
    expect(part(page, "verdict")).to_have_text("Best: 14 moves; at least 10 are needed")
    expect(part(page, "again")).to_be_hidden()
    assert overflow(page) == []
    page.get_by_role("link", name="Step by step").click()
    expect(page.get_by_label("Your board")).to_have_value(re.compile("8 1 3"))


def test_a_child_that_is_not_allowed_is_shown_as_that(open_page: OpenPage) -> None:
    page = open_page()
    page.goto("/lab?board=8 1 3 4 0 2 7 6 5&method=a-star-parent:manhattan")
    page.get_by_role("button", name="Watch it").click()
    children = page.locator('[data-part="children"]').first
    expect(part(page, "children-box").first).to_be_visible(timeout=30_000)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(children.get_by_text("not allowed")).to_have_count(1)


def _figure(page: Page, name: str):
    return page.locator(f'[data-figure="{name}"]')
