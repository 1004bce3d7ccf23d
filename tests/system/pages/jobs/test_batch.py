import pytest
from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import find_overflow

BOARDS = ["8 6 7 2 5 4 3 0 1", "1 2 3 4 5 0 6 7 8"]
COLUMNS = {"phone": 3, "desktop": 7}
SCREENS = [("desktop", 1440, 900), ("phone", 390, 844)]


@pytest.mark.parametrize("locale", ["en-US", "pt-BR"])
@pytest.mark.parametrize(("device", "width", "height"), SCREENS)
def test_result_and_download_come_first_and_the_table_fits(
    open_page: OpenPage, web: str, device: str, width: int, height: int, locale: str
) -> None:
    viewport = {"width": width, "height": height}
    page = open_page(base_url=web, device=device, locale=locale, viewport=viewport)
    batch = page.request.post("/api/v1/batches", data={"boards": BOARDS}).json()
    page.goto(f"/batches/{batch['id']}")
    for selector in (".verdict", "a.button-main[download]"):
        expect(page.locator(selector)).to_be_in_viewport(ratio=1)
    headings = page.get_by_role("columnheader")
    expect(headings).to_have_count(COLUMNS[device])
    expect(page.get_by_role("row").nth(1).locator(".thumb")).to_be_visible()
    table = page.locator(".batch-table")
    assert table.evaluate("(table) => table.scrollWidth <= table.clientWidth")
    assert find_overflow(page) == []
    assert find_violations(page) == []
