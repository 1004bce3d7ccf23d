"""A menu entry opens the game that it names, whichever games the browser has stored."""

from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.player import BOARD, play
from tests.system.pages.visitor import part, read_tiles
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply

FREE_GAME = apply(Board(BOARD), from_letters("R")).cells.tolist()
DAILY_GAME = [1, 2, 3, 0, 5, 6, 4, 7, 8]  # the fake daily board after a move


def open_entry(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()


def press(page: Page, key: str) -> None:
    part(page, "board").focus()
    page.keyboard.press(key)


def expect_daily_game(page: Page) -> None:
    expect(part(page, "secret")).to_be_visible()
    expect(part(page, "moves")).to_have_text("1")
    assert read_tiles(page) == DAILY_GAME


def test_free_play_and_the_daily_puzzle_continue_apart(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, device="phone")
    press(page, "ArrowRight")
    open_entry(page, "Daily puzzle")
    expect(part(page, "secret")).to_be_visible()
    press(page, "ArrowDown")
    for _ in range(2):
        open_entry(page, "Free play")
        expect(page.get_by_role("button", name="Hint")).to_be_enabled()
        expect(part(page, "moves")).to_have_text("1")
        assert read_tiles(page) == FREE_GAME
        expect(page.locator(".submenu [aria-current=page]")).to_have_text("Free play")
        open_entry(page, "Daily puzzle")
        expect_daily_game(page)
        expect(page.locator(".submenu [aria-current=page]")).to_have_text("Daily puzzle")
    page.reload()
    expect_daily_game(page)
    page.get_by_role("button", name="3×3", exact=True).click()
    expect_daily_game(page)
    page.get_by_role("button", name="Português").click()
    expect(part(page, "secret")).to_contain_text("dicas")
    expect_daily_game(page)


def test_finished_game_offers_another(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, board="1 2 3 4 5 6 0 7 8")
    press(page, "Shift+ArrowLeft")
    expect(part(page, "end")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Next board")).to_be_visible()
    open_entry(page, "Free play")
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()
    expect(part(page, "moves")).to_have_text("0")
