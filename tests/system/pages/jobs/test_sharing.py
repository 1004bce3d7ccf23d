import re

import pytest
from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import JobSolution, part, read_tiles, submit_board, wait_for_player

BOARD = "8 6 7 2 5 4 3 0 1"
MOVE = 12


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page on a phone with a solution of 31 moves."""
    page = open_page(
        device="phone",
        color_scheme="dark",
        permissions=["clipboard-read", "clipboard-write"],
        expected=r"frame-ancestors|X-Frame-Options|Refused to",
    )
    submit_board(page, BOARD)
    wait_for_player(page)
    return page


def test_link_opens_its_move_and_the_url_follows(page: Page) -> None:
    solution = JobSolution.read(page)
    page.goto(f"{page.url}#move={MOVE}")
    expect(part(page, "position")).to_have_text(f"Move {MOVE} of 31")
    page.reload()
    expect(part(page, "position")).to_have_text(f"Move {MOVE} of 31")
    assert read_tiles(page) == solution.tiles_after(MOVE)
    part(page, "forward").click()
    expect(page).to_have_url(re.compile(rf"#move={MOVE + 1}$"))
    length = page.evaluate("history.length")
    part(page, "last").click()
    expect(page).to_have_url(re.compile(r"#move=31$"))
    part(page, "first").click()
    expect(page).to_have_url(re.compile(r"/[0-9a-f-]{36}$"))
    assert page.evaluate("history.length") == length  # the back button leaves the page
    page.evaluate("location.hash = 'move=3'")
    expect(part(page, "position")).to_have_text("Move 3 of 31")
    for fragment in ("move=99999", "move=-1", "move=x"):
        page.evaluate("(hash) => { location.hash = hash }", fragment)
        page.reload()
        wait_for_player(page)
        expect(part(page, "position")).to_have_text(re.compile(r"Move (0|31) of 31"))


def test_device_shares_or_the_link_is_copied(page: Page) -> None:
    page.add_init_script("delete Navigator.prototype.share")
    page.reload()
    page.get_by_role("tab", name="Share").click()
    part(page, "share").click()
    expect(part(page, "share")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url

    page.add_init_script("Navigator.prototype.share = async (data) => { window.data = data; }")
    page.reload()
    page.get_by_role("tab", name="Share").click()
    expect(part(page, "share")).to_have_text("Share")
    part(page, "share").click()
    assert page.evaluate("window.data") == {"title": page.title(), "url": page.url}
