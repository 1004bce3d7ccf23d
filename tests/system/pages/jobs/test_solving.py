import re

from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import (
    find_overflow,
    open_options,
    part,
    submit_board,
    wait_for_player,
)

SOLVED_BOARD = "1 2 3 4 5 6 7 8 0"
KORF_1 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


def test_korfs_first_board_and_a_solved_board_are_solved(open_page: OpenPage) -> None:
    page = open_page(device="phone")
    submit_board(page, KORF_1, goal="blank-first")
    expect(part(page, "verdict")).to_have_text("57 moves — proven optimal")
    expect(part(page, "meaning")).to_have_text("No solution is shorter.")
    wait_for_player(page)
    # The verdict is above the board, on the first screen.
    verdict, board = (part(page, name).bounding_box() for name in ("verdict", "board"))
    assert verdict["y"] + verdict["height"] <= board["y"] < 812
    # The same puzzle with rows and columns exchanged has a stored solution.
    submit_board(page, "11 14 9 1 7 3 0 2 15 6 8 10 13 5 4 12", goal="blank-first")
    expect(part(page, "cached")).to_be_visible()
    submit_board(page, SOLVED_BOARD)
    expect(part(page, "verdict")).to_have_text("Already solved")
    expect(page).to_have_title("Already solved · 3×3 board · Tilework")
    expect(part(page, "certificate")).to_be_visible()
    expect(part(page, "controls")).to_be_hidden()
    assert find_overflow(page) == []


def test_scripts_format_the_figures_of_a_run_as_the_server_does(open_page: OpenPage) -> None:
    page = open_page(locale="pt-BR")
    page.locator("#board").fill("8 1 3 4 0 2 7 6 5")
    open_options(page)
    page.locator('[name="algorithm"]').select_option("a-star")
    page.locator('[name="heuristic"]').select_option("hamming")
    page.locator("#solve-it").click()
    figures = page.locator("[data-figure]")
    expect(page.locator('[data-figure="visited"]')).to_have_text("207")
    texts = figures.all_text_contents()
    assert any(re.fullmatch(r"[\d.,]+ (kB|MB)", text) for text in texts)
    assert any(re.fullmatch(r"[\d.,]+ m?s", text) for text in texts)
    plain_page = open_page(page.url, locale="pt-BR", java_script_enabled=False)
    expect(plain_page.locator("[data-figure]")).to_have_text(texts)
