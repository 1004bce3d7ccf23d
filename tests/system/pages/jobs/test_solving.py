import re

from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import overflow, part, submit_board, wait_for_player

SOLVED = "1 2 3 4 5 6 7 8 0"
KORF_1 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


def test_korfs_first_board_and_a_solved_board(open_page: OpenPage) -> None:
    page = open_page(device="phone")
    submit_board(page, KORF_1, goal="blank-first")
    expect(part(page, "verdict")).to_have_text("57 moves — proven optimal")
    expect(part(page, "meaning")).to_have_text("No solution is shorter.")
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
    submit_board(page, "8 6 7 2 5 4 3 0 1")
    expect(part(page, "verdict")).to_have_text("31 moves — proven optimal")
    with page.expect_response(re.compile(r"/api/v1/jobs/[^/?]+\?brief=true$")) as first:
        submit_board(page, "6 4 7 8 5 0 3 2 1")  # mirrored, tiles renamed with their homes
    assert first.value.json()["state"] == "optimal"
    expect(part(page, "cached")).to_be_visible()
    wait_for_player(page)
