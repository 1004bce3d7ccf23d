"""What holds on every page: it fits the window, in both lights, in both languages, by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.visitor import give, overflow, part, wait_for_player

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/play",
    "/analyse",
    "/ways",
    "/compare",
    "/lab",
    "/history",
    "/statistics",
    "/nowhere",
)
LIGHTEST_DARK = 60


def ground(page: Page) -> int:
    """Brightness of the page's ground, 0 to 255."""
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(int(part) for part in colour.strip("rgb()").split(",")) // 3


@pytest.mark.parametrize("light", ["light", "dark"])
def test_pages_fit_in_both_lights(open_page: OpenPage, device: str, light: str) -> None:
    page = open_page(device=device, color_scheme=light, expected="404")
    give(page, "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15")
    wait_for_player(page)
    assert overflow(page) == []
    for address in PAGES:
        page.goto(address)
        assert overflow(page) == []
        assert (ground(page) < LIGHTEST_DARK) == (light == "dark")


def test_all_pages_speak_portuguese(open_page: OpenPage, device: str) -> None:
    page = open_page(device=device, expected="404")
    page.get_by_role("button", name="Português").click()
    expect(page.locator("html")).to_have_attribute("lang", "pt")
    page.locator("#board").fill("1 2 q")
    expect(page.locator("#verdict")).to_contain_text("Linha 1, coluna 5: 'q' não é uma peça")
    page.locator("#board").fill("1 2 3 4 5 6 8 7 0")
    expect(page.locator("#verdict")).to_contain_text("irresolvível")
    expect(page.locator("#verdict")).to_contain_text("o objetivo não pode ser alcançado")
    assert overflow(page) == []
    give_in_portuguese(page, "8 6 7 2 5 4 3 0 1")
    expect(part(page, "verdict")).to_have_text("31 movimentos, o mínimo possível")
    wait_for_player(page)
    expect(part(page, "place")).to_have_text("Movimento 0 de 31")
    part(page, "format").select_option("text")
    expect(part(page, "sample")).to_contain_text("Mínimo número de movimentos = 31")
    assert overflow(page) == []
    for address, words in (
        ("/analyse", "Onde a partida perdeu movimentos?"),
        ("/ways", "Quantas soluções mínimas há?"),
        ("/history", "O que este navegador"),
        ("/statistics", "Quebra-cabeças por tamanho"),
        ("/nowhere", "Não há nada aqui."),
    ):
        page.goto(address)
        expect(page.locator("main")).to_contain_text(words)
        assert overflow(page) == []
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def give_in_portuguese(page: Page, board: str) -> None:
    page.locator("#board").fill(board)
    page.get_by_role("button", name="Resolver", exact=True).click()


def test_the_history_and_statistics_know_what_was_given(open_page: OpenPage) -> None:
    page = open_page()
    give(page, "8 6 7 2 5 4 3 0 1")
    wait_for_player(page)
    address = page.url
    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name="3×3 board").click()
    expect(page).to_have_url(address)
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("row", name="3×3")).to_be_visible()
    expect(page.get_by_role("link", name="API", exact=True)).to_have_attribute("href", "/openapi")


def test_the_first_tab_skips_to_the_content(open_page: OpenPage) -> None:
    page = open_page()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


def test_nothing_slides_for_those_who_asked_for_calm(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    give(page, "8 6 7 2 5 4 3 0 1")
    wait_for_player(page)
    part(page, "forward").click()
    duration = page.locator(".player .tile").first.evaluate(
        "(tile) => getComputedStyle(tile).transitionDuration"
    )
    assert duration in ("0s", "0ms")
