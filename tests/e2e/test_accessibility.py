"""The rules of WCAG 2.2 A and AA that axe-core can check, on every page in both lights."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.visitor import give, part, wait_for_player

pytestmark = pytest.mark.browser

FEWEST_RULES = 15  # fewer would mean that nothing was looked at
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def faults(page: Page) -> list[str]:
    found = Axe().run(page, options=RULES).response
    assert len(found["passes"]) > FEWEST_RULES
    return [
        f"{fault['id']}: {node['html']}" for fault in found["violations"] for node in fault["nodes"]
    ]


@pytest.mark.parametrize(("device", "light"), [("desktop", "dark"), ("phone", "light")])
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
    assert faults(page) == []
    for address in ("/jobs", "/statistics", "/nowhere"):
        page.goto(address)
        assert faults(page) == []
