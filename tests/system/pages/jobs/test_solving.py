"""From a board to its solution: proved, stored already, or long and followed by several clients."""

import re

from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import overflow, part, submit_board, wait_for_player

FARTHEST_3X3 = "8 6 7 2 5 4 3 0 1"
ITS_MIRROR = "6 4 7 8 5 0 3 2 1"  # rows and columns exchanged, tiles renamed with their homes
SOLVED = "1 2 3 4 5 6 7 8 0"
KORF_1 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
BEST = re.compile(r"^Best: [\d,]+ moves · optimal: at least [\d,]+$")
HARD_5X5 = "21 11 10 4 16 6 13 24 7 14 1 20 9 17 0 15 2 5 8 22 3 12 18 19 23"


def test_korfs_first_board_and_a_solved_board(open_page: OpenPage) -> None:
    page = open_page(device="phone")
    submit_board(page, KORF_1, goal="blank-first")
    expect(part(page, "verdict")).to_have_text("57 moves — proven optimal")
    expect(part(page, "meaning")).to_have_text("Proven optimal: no solution is shorter.")
    wait_for_player(page)
    # The answer is above the board, on the first screen.
    answer, board = (part(page, name).bounding_box() for name in ("verdict", "board"))
    assert answer["y"] + answer["height"] <= board["y"] < 812
    submit_board(page, SOLVED)
    expect(part(page, "verdict")).to_have_text("Already solved")
    expect(page).to_have_title("Already solved · 3×3 board · Tilework")
    expect(part(page, "certificate")).to_be_visible()
    expect(part(page, "controls")).to_be_hidden()
    assert overflow(page) == []


def test_stored_answer_is_immediate_also_in_disguise(open_page: OpenPage) -> None:
    page = open_page()
    submit_board(page, FARTHEST_3X3)
    expect(part(page, "verdict")).to_have_text("31 moves — proven optimal")
    for board in (FARTHEST_3X3, ITS_MIRROR):
        page = open_page()
        with page.expect_response(re.compile(r"/api/v1/jobs/[^/?]+\?brief=true$")) as first:
            submit_board(page, board)
        assert first.value.json()["state"] == "optimal"
        assert first.value.json()["cached"]
        expect(part(page, "cached")).to_be_visible()
        expect(part(page, "verdict")).to_have_text("31 moves — proven optimal")
        wait_for_player(page)


def test_long_search_is_watched_and_cancelled(open_page: OpenPage) -> None:
    page = open_page(expected=r"net::ERR_INTERNET_DISCONNECTED")
    submit_board(page, HARD_5X5)
    expect(part(page, "state")).to_have_text("searching")
    expect(part(page, "verdict")).to_have_text(BEST)
    expect(part(page, "nodes")).to_have_text(re.compile(r"\d"))
    wait_for_player(page)
    page.goto("/statistics")
    page.go_back()
    expect(part(page, "state")).to_have_text("searching")

    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(part(page, "lost")).to_be_visible()
    page.context.set_offline(False)
    expect(part(page, "lost")).to_be_hidden()

    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Keep searching").click()
    expect(part(page, "state")).to_have_text("searching")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Stop").click()
    expect(part(page, "state")).to_have_text("cancelled")
    expect(part(page, "cancel")).to_have_count(0)
