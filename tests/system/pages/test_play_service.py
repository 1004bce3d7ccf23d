"""Playing with the service behind it: real hints, real boards of the day."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.system.browsing import OpenPage
from tests.system.pages.visitor import part, shown_tiles
from tilework.core.puzzle.daily import daily_board

pytestmark = pytest.mark.browser

EASY_15 = "2 0 3 4 1 6 7 8 5 10 11 12 9 13 14 15"


def test_hints_lead_home(open_page: OpenPage) -> None:
    page = open_page(f"/play?board={EASY_15}", service_workers="allow")
    advice, hint = part(page, "advice"), page.get_by_role("button", name="Hint", exact=True)
    for left in range(7, 0, -1):
        hint.click()
        expect(advice).to_contain_text(f"{left} more from here, none shorter")
        page.locator(".tile-pointed").click()
        expect(advice).to_be_hidden()
    expect(part(page, "end")).to_be_visible()
    assert shown_tiles(page) == [*range(1, 16), 0]


def test_the_board_of_the_day(open_page: OpenPage) -> None:
    before = datetime.now(UTC).date()
    page = open_page("/play")
    page.locator('[data-daily="4"]').click()
    expect(part(page, "secret")).to_be_visible()
    days = {before, datetime.now(UTC).date()}
    assert shown_tiles(page) in [daily_board(day, 4).cells.tolist() for day in days]
