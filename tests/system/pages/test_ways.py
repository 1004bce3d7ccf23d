from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import part, submit_board, wait_for_player


def test_shortest_solutions_of_a_job_are_found_and_shown(open_page: OpenPage) -> None:
    page = open_page(expected="422")
    submit_board(page, "8 6 7 2 5 4 3 0 1")
    wait_for_player(page)
    page.get_by_role("link", name="All shortest solutions").click()
    page.get_by_role("button", name="Find all").click()
    expect(page.locator(".bounds-words")).to_have_text("40 shortest solutions of 31 moves each.")
    for button, shown in (
        ("Show solution 3", "Solution 3"),
        ("Show the solution with the fewest turns", "The solution with the fewest turns"),
    ):
        page.get_by_role("button", name=button).click()
        expect(part(page, "shown")).to_have_text(shown)
    page.get_by_role("link", name="Next").click()
    expect(part(page, "shown")).to_have_text("Solution 11")
    page.goto("/ways")
    board = " ".join(map(str, [*range(1, 25), 0]))
    page.locator("#board").fill(board)
    page.get_by_role("button", name="Find all").click()
    expect(page.locator("#refusal")).to_contain_text("up to 16 cells; a board of 5×5 has 25")
    expect(page.locator("#board")).to_have_value(board)
