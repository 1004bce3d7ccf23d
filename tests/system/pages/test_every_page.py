"""What holds at every address: it fits 320 px, keeps the rules in both lights, lists its keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.system.browsing import OpenPage
from tests.system.pages.addresses import every_address, settled
from tests.system.pages.rules import faults
from tests.system.pages.visitor import overflow

pytestmark = pytest.mark.browser

NARROWEST = {"viewport": {"width": 320, "height": 640}}


@pytest.mark.parametrize("locale", ["en-US", "pt-BR"])
def test_every_page_fits_320_pixels(open_page: OpenPage, locale: str) -> None:
    page = open_page(device="phone", locale=locale, expected="404", **NARROWEST)
    for address in every_address(page):
        page.goto(address)
        settled(page)
        assert overflow(page) == [], address


@pytest.mark.parametrize("light", ["light", "dark"])
def test_every_page_keeps_the_rules(open_page: OpenPage, light: str) -> None:
    page = open_page(color_scheme=light, expected="404")
    for address in every_address(page):
        page.goto(address)
        settled(page)
        assert faults(page) == [], address


@pytest.mark.parametrize("locale", ["en-US", "pt-BR"])
def test_a_question_mark_lists_the_keys_of_a_page(open_page: OpenPage, locale: str) -> None:
    page = open_page(locale=locale, expected="404")
    for address in every_address(page):
        page.goto(address)
        settled(page)
        keys = page.locator("#key-list")
        if not keys.count():
            continue
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("?")
        expect(keys).to_be_visible()
        assert keys.locator("kbd").count() > 1, address
        assert faults(page) == [], address
        page.keyboard.press("Escape")
        expect(keys).to_be_hidden()


def test_a_question_mark_in_a_field_is_a_letter(open_page: OpenPage) -> None:
    page = open_page("/lab")
    page.locator("#board").fill("")
    page.locator("#board").press("?")
    expect(page.locator("#board")).to_have_value("?")
    expect(page.locator("#key-list")).to_be_hidden()
    page.get_by_role("button", name="Keys").click()
    expect(page.locator("#key-list")).to_be_visible()


def test_a_file_and_moves_need_no_script(open_page: OpenPage) -> None:
    page = open_page("/", java_script_enabled=False)
    file = {"name": "board.txt", "mimeType": "text/plain", "buffer": b"1 2 3 4 5 0 6 7 8"}
    page.locator("#upload").set_input_files(file)
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator("#board")).to_have_value("1 2 3 4 5 0 6 7 8")
    page.locator("#solve-it").click()
    moves = page.locator("noscript .sample")
    while not moves.count():
        page.wait_for_timeout(300)
        page.reload()
    assert len(moves.text_content().strip()) == 13
