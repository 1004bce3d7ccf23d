"""A board for which the fewest slides are asked."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.system.browsing import OpenPage
from tests.system.pages.visitor import overflow, part, wait_for_player

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("language", "choice", "solve", "bounds", "proved"),
    [
        ("en-US", "Slides", "Solve it", "20 slides, none fewer", "no solution has fewer slides"),
        (
            "pt-BR",
            "Deslizamentos",
            "Resolver",
            "20 deslizamentos, não há com menos",
            "nenhuma solução tem menos deslizamentos",
        ),
    ],
)
def test_slides_are_counted_from_the_form_to_the_proof(
    open_page: OpenPage,
    device: str,
    language: str,
    choice: str,
    solve: str,
    bounds: str,
    proved: str,
) -> None:
    page = open_page("/", device, locale=language)
    page.locator("#board").fill("8 6 7 2 5 4 3 0 1")
    page.locator("#options > summary").click()
    page.get_by_role("radio", name=choice, exact=True).check(force=True)
    page.get_by_role("button", name=solve).click()
    wait_for_player(page)
    expect(part(page, "verdict")).to_have_text(bounds)
    expect(part(page, "meaning")).to_contain_text(proved)
    # The other length stands beside it.
    expect(part(page, "slides")).to_have_text("31")
    expect(part(page, "again")).to_be_hidden()
    assert overflow(page) == []
