"""The rules of WCAG 2.2 A and AA that axe-core can check, on every page in both lights."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.system.browsing import OpenPage
from tests.system.pages.rules import faults
from tests.system.pages.visitor import give, part, wait_for_player
from tilework.core.solver.pdb.progress import BuildingNote

pytestmark = pytest.mark.browser

HARD = {
    "desktop": "16 5 1 12 6 24 17 9 2 22 4 10 13 18 19 20 0 23 7 21 15 11 8 3 14",
    "phone": "21 11 10 4 16 6 13 24 7 14 1 20 9 17 0 15 2 5 8 22 3 12 18 19 23",
}
BOTH = pytest.mark.parametrize(("device", "light"), [("desktop", "dark"), ("phone", "light")])


@BOTH
def test_every_page_keeps_the_rules(open_page: OpenPage, device: str, light: str) -> None:
    page = open_page(device=device, color_scheme=light, expected="404")
    expect(page.locator("#verdict")).to_contain_text("solvable")
    assert faults(page) == []
    page.locator("#board").fill("1 2 q")
    expect(page.locator("#verdict")).to_contain_text("not a tile")
    assert faults(page) == []
    give(page, "1 2 3 4 5 6 0 7 8")
    wait_for_player(page)
    part(page, "forward").click()
    for more in page.locator("#job summary:visible").all():
        more.click()
    assert faults(page) == []
    job = page.url.partition("/jobs/")[2].partition("#")[0]
    page.goto("/history")
    page.locator(".entry-more summary").first.click()
    assert faults(page) == []
    own = (f"/jobs/{job}/sheet", f"/embed/jobs/{job}")
    for address in (*own, "/play", "/analyse", "/ways", "/statistics", "/openapi", "/nowhere"):
        page.goto(address)
        assert faults(page) == []


@BOTH
def test_a_long_search_keeps_the_rules(
    open_page: OpenPage, device: str, light: str, site_databases: Path
) -> None:
    page = open_page(device=device, color_scheme=light)
    give(page, HARD[device])
    with BuildingNote(site_databases, "5x5 6-6-6-6"):
        expect(part(page, "building")).to_be_visible()
        expect(part(page, "engine")).to_be_visible()
        wait_for_player(page)
        assert faults(page) == []
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Stop it").click()
    expect(part(page, "certificate")).to_be_visible()
    assert faults(page) == []
