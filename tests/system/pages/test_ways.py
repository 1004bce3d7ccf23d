from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import part, submit_board, wait_for_player


def test_shortest_solutions_of_a_job_are_found_and_shown(open_page: OpenPage) -> None:
    page = open_page(expected="422")
    submit_board(page, "8 6 7 2 5 4 3 0 1")
    wait_for_player(page)
    page.get_by_role("link", name="All shortest solutions").click()
    page.get_by_role("button", name="Find all").click()
    expect(page.locator(".verdict-text")).to_have_text("40 shortest solutions of 31 moves each.")
    page.get_by_role("button", name="Show the optimal solution with the fewest slides").click()
    expect(part(page, "shown")).to_have_text("The optimal solution with the fewest slides")
    page.get_by_role("link", name="Next").click()
    expect(part(page, "shown")).to_have_text("Solution 11")
    page.goto("/ways")
    page.locator("#board").fill(" ".join(map(str, [*range(1, 25), 0])))
    page.get_by_role("button", name="Find all").click()
    expect(page.locator("#form-error")).to_contain_text("up to 16 cells; 5×5 boards have 25")
