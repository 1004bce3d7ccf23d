import re

from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import overflow, part, shown_tiles, submit_board, wait_for_player

ADDRESS = re.compile(r"/ways/[0-9a-f-]{36}$")
HARDEST = "8 6 7 2 5 4 3 0 1"
SOLVED = [1, 2, 3, 4, 5, 6, 7, 8, 0]


def find_all(page: Page, board: str = HARDEST) -> None:
    page.locator("#board").fill(board)
    page.get_by_role("button", name="Find all").click()
    expect(page).to_have_url(ADDRESS)


def test_all_shortest_solutions_of_a_board(open_page: OpenPage) -> None:
    page = open_page("/ways", color_scheme="dark")
    find_all(page)
    expect(page.locator(".bounds-words")).to_have_text("40 shortest solutions of 31 moves each.")
    expect(page.get_by_text("20 slides, proven optimal")).to_be_visible()
    expect(part(page, "shown")).to_have_text("Solution 1")
    expect(page.locator(".solutions-dot")).to_have_count(527)
    assert overflow(page) == []
    assert find_violations(page) == []
    page.get_by_role("button", name="Show solution 3").click()
    expect(part(page, "shown")).to_have_text("Solution 3")
    expect(part(page, "place")).to_have_text("Move 0 of 31")
    part(page, "last").click()
    assert shown_tiles(page) == SOLVED
    page.get_by_role("button", name="Show the solution with the fewest turns").click()
    expect(part(page, "shown")).to_have_text("The solution with the fewest turns")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("button", name="Show solution 11")).to_be_visible()
    expect(part(page, "shown")).to_have_text("Solution 11")


def test_job_links_there_and_a_large_board_is_refused(open_page: OpenPage) -> None:
    page = open_page(expected="422")
    submit_board(page, HARDEST)
    wait_for_player(page)
    page.get_by_role("link", name="All shortest solutions").click()
    expect(page.locator("#board")).to_have_value(re.compile(r"8 6 7\s+2 5 4\s+3 0 1"))
    board = " ".join(map(str, [*range(1, 25), 0]))
    page.locator("#board").fill(board)
    page.get_by_role("button", name="Find all").click()
    expect(page.locator("#refusal")).to_contain_text("up to 16 cells; a board of 5×5 has 25")
    expect(page.locator("#board")).to_have_value(board)
