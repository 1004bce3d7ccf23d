"""The page of steps: what is in view, the step in its address, steps that are not kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.scripts import with_scripts
from tests.system.pages.test_lab import place, watch

pytestmark = pytest.mark.browser

WINDOWS = [(1280, 900), (1440, 900), (1920, 1080)]


def covered(page: Page) -> list[float]:
    """By how many pixels the clock covers each board at the cursor, before anything is scrolled."""
    page.evaluate("scrollTo(0, 0)")
    return page.evaluate(
        """() => {
          const clock = document.querySelector(".clock").getBoundingClientRect().top;
          const boards = [...document.querySelectorAll('.cursor [data-part="board"]')];
          return boards.map((board) => Math.max(0, board.getBoundingClientRect().bottom - clock));
        }"""
    )


@pytest.mark.parametrize("second", ["breadth-first", ""], ids=["two", "one"])
@pytest.mark.parametrize("locale", ["en-US", "pt-BR"])
def test_the_board_at_the_cursor_is_not_under_the_clock(
    open_page: OpenPage, second: str, locale: str
) -> None:
    page = open_page("/lab")
    watch(page, algorithm="iterative-deepening", second_algorithm=second)
    address = page.url
    page = open_page(address, locale=locale)
    expect(page.locator(".clock")).to_be_visible()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        for key in ("Home", "ArrowRight", "End"):
            page.keyboard.press(key)
            assert not any(covered(page)), (width, height, key)


def test_the_address_leads_to_a_step_and_follows(open_page: OpenPage) -> None:
    page = open_page("/lab")
    watch(page)
    address = page.url
    page.goto(f"{address}#step=12")
    page.reload()
    expect(place(page)).to_have_text("Step 12 of 1,665")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#step=13$"))
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile("#step=0$"))
    page.evaluate("location.hash = '#step=58'")
    expect(place(page)).to_have_text("Step 58 of 1,665")
    page.evaluate("location.hash = '#step=999999999'")
    expect(place(page)).to_have_text("At the end")
    page.evaluate("location.hash = '#step=twelve'")
    expect(place(page)).to_have_text("At the end")


def test_steps_that_are_not_kept_leave_one_rail_and_no_comb(open_page: OpenPage) -> None:
    page = open_page("/statistics")
    rails = page.evaluate(
        with_scripts("""async () => {
          const { paintLines } = await import("SCRIPTS/lab/tree_lines.js");
          const drawn = [];
          const pen = new Proxy({ setLineDash: (dashes) => (pen.dashes = dashes.join()) }, {
            get: (target, name) => target[name] ?? (() => {}),
          });
          const Path = window.Path2D;
          window.Path2D = class { lines = []; moveTo(x, y) { this.from = [x, y]; }
            lineTo(x, y) { this.lines.push([...this.from, x, y]); } bezierCurveTo() {} };
          pen.stroke = ({ lines }) => drawn.push(...lines);
          const root = { index: 0, parent: null, stub: false };
          const lost = [1, 2, 3].map((index) => ({ index, parent: null, stub: true }));
          const other = { index: 4, parent: null, stub: false };
          const late = { index: 5, parent: null, stub: true };
          paintLines(pen, [root, ...lost, other, late], {
            at: ({ index }) => [index * 10, 100], current: null, solution: [], reach: 4,
            colours: {}, width: 100, height: 200 });
          window.Path2D = Path;
          return drawn;
        }""")
    )
    assert [(left, right) for left, _, right, _ in rails] == [(6, 34), (46, 54)]
    assert {top for _, top, _, _ in rails} == {bottom for _, _, _, bottom in rails}
