"""From a board to its solution, on a desktop and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.system.browsing import OpenPage
from tests.system.pages.visitor import give, overflow, part, shown_tiles, wait_for_player

pytestmark = pytest.mark.browser

FARTHEST_3X3 = "8 6 7 2 5 4 3 0 1"
ITS_MIRROR = "6 4 7 8 5 0 3 2 1"  # rows and columns exchanged, tiles renamed with their homes
SOLVED = "1 2 3 4 5 6 7 8 0"
KORF_1 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
BEST = re.compile(r"^Best: [\d,]+ moves; at least [\d,]+ are needed$")
HARD_5X5 = "17 20 1 19 22 12 0 24 21 4 16 2 11 10 13 6 3 14 23 5 18 7 9 15 8"


def test_three_sizes_are_solved_and_shown(open_page: OpenPage, device: str) -> None:
    page = open_page(device=device)
    give(page, FARTHEST_3X3)
    expect(part(page, "verdict")).to_have_text("31 moves, none shorter")
    expect(part(page, "state")).to_have_text("optimal")
    # Of at most 31 moves at least 20, the fewest that the board can be solved in.
    expect(part(page, "slides")).to_have_text(re.compile(r"^(2\d|3[01])$"))
    wait_for_player(page)
    assert overflow(page) == []

    give(page, KORF_1, goal="blank-first")
    expect(part(page, "verdict")).to_have_text("57 moves, none shorter")
    expect(part(page, "meaning")).to_have_text("Proved: no solution is shorter.")
    wait_for_player(page)

    page.goto("/")
    expect(page.locator("#editor-board .tile").first).to_be_visible()
    page.get_by_label("Width").fill("10")
    page.get_by_label("Height").fill("10")
    page.get_by_role("button", name="Scramble").click()
    expect(page.locator("#verdict")).to_contain_text("10×10, solvable.")
    page.get_by_role("button", name="Solve it").click()
    wait_for_player(page)
    expect(part(page, "verdict")).to_have_text(BEST)
    assert len(shown_tiles(page)) == 100
    assert overflow(page) == []


def test_a_solved_board_is_said_to_be_solved(open_page: OpenPage, device: str) -> None:
    page = open_page(device=device)
    give(page, SOLVED)
    expect(part(page, "verdict")).to_have_text("Already solved")
    expect(part(page, "meaning")).to_have_text(
        "The board lies as its goal does; no tile has to move."
    )
    expect(page).to_have_title("Already solved · 3×3 board · Tilework")
    expect(part(page, "certificate")).to_be_visible()
    expect(part(page, "controls")).to_be_hidden()
    page.goto("/lab")
    page.get_by_label("Your board").fill(SOLVED)
    page.get_by_role("button", name="Watch it").click()
    for ending in (part(page, "ending").first, part(page, "ending").last):
        expect(ending).to_have_text("already solved: 0 moves")


def test_a_known_answer_comes_at_once_also_in_disguise(open_page: OpenPage) -> None:
    give(open_page(), FARTHEST_3X3)
    for board in (FARTHEST_3X3, ITS_MIRROR):
        page = open_page()
        with page.expect_response(re.compile(r"/api/v1/jobs/[^/?]+\?brief=true$")) as first:
            give(page, board)
        assert first.value.json()["state"] == "optimal"
        assert first.value.json()["cached"]
        expect(part(page, "cached")).to_be_visible()
        expect(part(page, "verdict")).to_have_text("31 moves, none shorter")
        wait_for_player(page)


def test_a_long_search_is_watched_shared_and_cancelled(open_page: OpenPage) -> None:
    page = open_page(expected=r"net::ERR_INTERNET_DISCONNECTED")
    give(page, HARD_5X5)
    expect(part(page, "state")).to_have_text("searching")
    expect(part(page, "verdict")).to_have_text(BEST)
    expect(part(page, "chart").locator(".chart-lower")).to_be_visible()
    expect(part(page, "nodes")).to_have_text(re.compile(r"\d"))
    assert part(page, "chart-words").text_content().startswith("After ")
    wait_for_player(page)

    page.reload()
    expect(part(page, "state")).to_have_text("searching")
    page.goto("/statistics")
    page.go_back()
    expect(part(page, "state")).to_have_text("searching")

    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(part(page, "lost")).to_be_visible()
    page.context.set_offline(False)
    expect(part(page, "lost")).to_be_hidden()

    guest = open_page(page.url)
    expect(part(guest, "state")).to_have_text("searching")
    expect(part(guest, "cancel")).to_have_count(0)

    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Keep searching").click()
    expect(part(page, "state")).to_have_text("searching")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Stop it").click()
    expect(part(page, "state")).to_have_text("cancelled")
    expect(part(page, "cancel")).to_have_count(0)
    expect(part(guest, "state")).to_have_text("cancelled")
