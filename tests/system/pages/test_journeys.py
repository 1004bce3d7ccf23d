"""The goals of five visitors, in both languages: on a desktop by keys, and on a phone by touch."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.steps import STEPS_URL
from tests.system.pages.visitor import find_overflow, part, read_tiles

NEAR_BOARD = "1 2 3 4 0 6 7 5 8"  # 5 up, 8 left
SOLVED_TILES = [1, 2, 3, 4, 5, 6, 7, 8, 0]
SEVERAL_BOARDS = "8 6 7 2 5 4 3 0 1\n1 2 3 4 5 0 6 7 8\n3x2: 5 4 3 2 1 0\n"
MAX_TABS = 300
SCREENS = {"desktop": (1440, 900), "phone": (390, 844)}


@dataclass
class Visitor:
    page: Page
    has_keyboard: bool

    def press(self, control: str | Locator) -> None:
        """Press a button or a link."""
        element = self._find(control)
        if self.has_keyboard:
            self.tab_to(element)
            self.page.keyboard.press("Enter")
        else:
            element.tap()

    def follow(self, path: str) -> None:
        """Press a link whose URL ends with this path."""
        self.press(f'main a[href$="{path}"], nav a[href$="{path}"]')
        expect(self.page).to_have_url(re.compile(f"{path}$"))

    def fill(self, field: str, text: str) -> None:
        element = self._find(field)
        if self.has_keyboard:
            self.tab_to(element)
            self.page.keyboard.press("Control+a")
            self.page.keyboard.insert_text(text)
        else:
            element.fill(text)

    def check_page(self) -> None:
        """Check that the page fits, and is accessible in light and dark colours."""
        assert find_overflow(self.page) == []
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            assert find_violations(self.page) == [], scheme

    def tab_to(self, element: Locator) -> None:
        expect(element).to_be_visible()
        for _ in range(MAX_TABS):
            if element.evaluate("(element) => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"{element} cannot be reached by Tab")

    def _find(self, control: str | Locator) -> Locator:
        return self.page.locator(control).first if isinstance(control, str) else control


def play_and_analyse(visitor: Visitor) -> None:
    page = visitor.page
    visitor.fill("#board", NEAR_BOARD)
    expect(page.locator("#play")).to_have_attribute("href", re.compile(r"1\+2\+3\+4\+0"))
    visitor.press("#play")
    expect(page.locator(".play-table .tile")).to_have_count(8)
    visitor.press(part(page, "hint"))
    expect(part(page, "advice")).to_contain_text("2")
    if visitor.has_keyboard:
        visitor.tab_to(part(page, "board"))
        for key in ("ArrowUp", "ArrowLeft"):
            page.keyboard.press(key)
    else:
        page.locator('[data-tile="5"]').tap()
        page.locator('[data-tile="8"]').tap()
    expect(part(page, "end")).to_be_visible()
    expect(part(page, "moves")).to_have_text("2")
    expect(part(page, "end-best")).to_have_text("2")
    visitor.check_page()
    visitor.press(part(page, "end-analysis"))
    expect(page.locator(".verdict-text")).to_contain_text("2 mov")
    visitor.check_page()


def teach_a_search(visitor: Visitor) -> None:
    page = visitor.page
    visitor.follow("/learn")
    visitor.check_page()
    visitor.follow("/lab")
    visitor.fill("#board", NEAR_BOARD)
    visitor.press('#lab-form [type="submit"]')
    expect(page).to_have_url(STEPS_URL)
    expect(part(page, "controls")).to_be_visible()
    visitor.press(part(page, "forward"))
    expect(page).to_have_url(re.compile("#step=2$"))
    expect(page.locator(".code-line[aria-current=step]")).not_to_have_count(0)
    visitor.press(part(page, "last"))
    visitor.check_page()
    visitor.follow("/worksheet")
    visitor.check_page()


def compare_and_solve_many(visitor: Visitor) -> None:
    page = visitor.page
    visitor.fill("#board", SEVERAL_BOARDS)
    visitor.press("#solve-it")
    expect(page).to_have_url(re.compile(r"/batches/[0-9a-f-]{36}"))
    expect(page.locator(".batch-rows .badge-optimal")).to_have_count(3)
    visitor.check_page()
    visitor.press(".batch-table th a:visible")
    expect(page.locator("[aria-sort]")).to_have_count(1)
    visitor.follow("/learn")
    visitor.follow("/compare")
    visitor.fill("#board", NEAR_BOARD)
    visitor.press("#run")
    expect(page.locator(".badge-finished")).to_be_visible()
    expect(page.locator('tr[data-key="a-star:manhattan"]')).to_contain_text("2")
    visitor.check_page()


def solve_a_first_board(visitor: Visitor) -> None:
    page = visitor.page
    guide = page.locator("#guide")
    expect(guide).to_contain_text("1")
    visitor.check_page()
    if visitor.has_keyboard:
        visitor.tab_to(page.locator('#editor-board [tabindex="0"]'))
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
            page.keyboard.press(key)
    else:
        page.locator("#editor-board .tile-pointed").tap()
    expect(guide).to_contain_text("30")
    visitor.press("#solve-it")
    expect(part(page, "verdict")).to_contain_text("30 mov")
    for _ in range(2):
        visitor.press(part(page, "forward"))
    expect(part(page, "position")).to_contain_text("2")
    visitor.press(part(page, "last"))
    expect(page.locator(".tile-home")).to_have_count(8)
    assert read_tiles(page) == SOLVED_TILES
    visitor.check_page()
    visitor.follow("/history")
    expect(page.locator(".entry")).to_have_count(1)
    visitor.check_page()


def type_a_board(visitor: Visitor) -> None:
    page = visitor.page
    expect(page.locator("#play")).to_have_attribute("aria-disabled", "false")
    visitor.press("#clear")
    expect(page.locator("#editor-board .tile-blank")).to_have_count(9)
    numbers = NEAR_BOARD.split()
    if visitor.has_keyboard:
        for number, key in zip(numbers, ["ArrowRight", "Tab", "Enter"] * 3, strict=True):
            page.keyboard.press(number)
            page.keyboard.press(key)
    else:
        for cell, number in enumerate(numbers):
            page.locator(f'#editor-board [data-cell="{cell}"]').tap()
            page.keyboard.insert_text(number)
    expect(page.locator("#board")).to_have_value("1 2 3\n4 0 6\n7 5 8")
    visitor.check_page()
    visitor.press("#solve-it")
    expect(part(page, "verdict")).to_contain_text("2 mov")


JOURNEYS = [
    pytest.param(play_and_analyse, id="player"),
    pytest.param(teach_a_search, id="teacher"),
    pytest.param(compare_and_solve_many, id="researcher"),
    pytest.param(solve_a_first_board, id="newcomer"),
    pytest.param(type_a_board, id="typist"),
]


@pytest.mark.parametrize("locale", ["en-US", "pt-BR"])
@pytest.mark.parametrize("device", SCREENS)
@pytest.mark.parametrize("complete", JOURNEYS)
def test_visitor_reaches_the_goal(
    open_page: OpenPage, complete: Callable[[Visitor], None], device: str, locale: str
) -> None:
    viewport = (
        {"width": 1440, "height": 900} if device == "desktop" else {"width": 390, "height": 844}
    )
    page = open_page("/", device=device, locale=locale, viewport=viewport)
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    complete(Visitor(page, has_keyboard=device == "desktop"))
