import pytest
from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import download, find_overflow

SOLVED_BOARD = "1 2 3 4 5 6 7 8 0"


def make_entries(page: Page) -> str:
    """Request a board and a comparison; return the path of the board's page."""
    board = page.request.post("/jobs", form={"board": SOLVED_BOARD}, max_redirects=0)
    page.request.post("/comparisons", form={"board": SOLVED_BOARD, "method": "breadth-first"})
    return str(board.headers["location"])


@pytest.mark.parametrize(("device", "has_scripts"), [("phone", True), ("desktop", False)])
def test_entries_are_found_named_removed_and_downloaded(
    open_page: OpenPage, web: str, device: str, has_scripts: bool
) -> None:
    page = open_page(base_url=web, device=device, java_script_enabled=has_scripts)
    path = make_entries(page)
    page.goto("/history")
    entries = page.locator(".entry")
    expect(entries).to_have_count(2)
    table = download(page, page.get_by_role("link", name="CSV"))
    assert table.name == "tilework-history.csv"
    assert table.text.count("\n") == 3
    page.get_by_role("link", name="Boards", exact=True).click()
    expect(entries).to_have_count(1)

    entries.locator("summary").click()
    assert find_overflow(page) == []
    page.get_by_label("Name", exact=True).fill("The one from the newspaper")
    page.get_by_role("button", name="Save name").click()
    link = page.get_by_role("link", name="The one from the newspaper")
    expect(link).to_have_attribute("href", path)
    entries.locator("summary").click()
    page.get_by_role("button", name="Remove from history").click()
    expect(page.locator("main")).to_contain_text("Nothing of this type yet.")
    page.get_by_role("link", name="All", exact=True).click()
    expect(entries).to_have_count(1)
    page.goto(path)
    expect(page.locator("h1")).to_contain_text("3×3 board")
    # Without scripts, buttons that need them are hidden.
    for name in ("Copy link", "Copy link to this move"):
        button = page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_visible(visible=has_scripts)
    page.goto("/")
    for element in (page.get_by_text("From a picture"), page.locator(".example").first):
        expect(element).to_be_visible(visible=has_scripts)


def test_list_waits_while_a_name_is_edited(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    page.request.post("/jobs", form={"board": "8 6 7 2 5 4 3 0 1"})
    page.clock.install()
    page.goto("/history")  # with an unfinished job, the list is reloaded every three seconds
    with page.expect_response("**/history"):
        page.clock.run_for(3_100)
    page.locator(".entry summary").click()
    field = page.get_by_label("Name", exact=True)
    field.fill("half a na")
    page.clock.run_for(10_000)
    page.wait_for_load_state("networkidle")
    expect(field).to_have_value("half a na")


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
