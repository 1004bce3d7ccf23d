import pytest
from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import find_overflow

SOLVED_BOARD = "1 2 3 4 5 6 7 8 0"


def make_entries(page: Page) -> str:
    """Request a board and a comparison; return the path of the board's page."""
    board = page.request.post("/jobs", form={"board": SOLVED_BOARD}, max_redirects=0)
    page.request.post("/comparisons", form={"board": SOLVED_BOARD, "method": "breadth-first"})
    return str(board.headers["location"])


@pytest.mark.parametrize(("device", "has_scripts"), [("phone", True), ("desktop", False)])
def test_entries_are_found(open_page: OpenPage, web: str, device: str, has_scripts: bool) -> None:
    page = open_page(base_url=web, device=device, java_script_enabled=has_scripts)
    path = make_entries(page)
    page.goto("/history")
    entries = page.locator(".entry")
    expect(entries).to_have_count(2)
    page.get_by_role("link", name="Boards", exact=True).click()
    expect(entries).to_have_count(1)
    assert find_overflow(page) == []
    expect(entries.get_by_role("link")).to_have_attribute("href", path)
    page.goto(path)
    expect(page.locator("h1")).to_contain_text("3×3 board")
    # Without scripts, buttons that need them are hidden.
    for name in ("Copy link", "Copy link to this move"):
        button = page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_visible(visible=has_scripts)
    page.goto("/")
    for element in (page.get_by_text("From a picture"), page.locator(".example").first):
        expect(element).to_be_visible(visible=has_scripts)


def test_refreshed_list_keeps_the_focus_and_what_is_open_or_chosen(
    open_page: OpenPage, web: str
) -> None:
    page = open_page(base_url=web)
    boards = "8 6 7 2 5 4 3 0 1\n2 1 3 4 5 6 7 8 0\n1 2 3 4 5 6 8 7 0\n3x2: 1 2 3 4 0 5"
    batch = page.request.post("/jobs", form={"board": boards}, max_redirects=0)
    page.clock.install()
    page.goto(batch.headers["location"])
    reasons = page.locator("tbody details")
    reasons.nth(1).locator("summary").click()
    page.get_by_label("State").select_option("failed")
    link = page.get_by_role("link", name="Nodes")
    link.focus()
    old_link = link.element_handle()
    page.clock.run_for(2_100)
    page.wait_for_function("(link) => !link.isConnected", arg=old_link)
    expect(link).to_be_focused()
    expect(page.get_by_label("State")).to_have_value("failed")
    assert reasons.evaluate_all("(all) => all.map(({ open }) => open)") == [False, True]
