from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import (
    find_overflow,
    part,
    submit_board,
    wait_for_player,
)

SOLVED_BOARD = "1 2 3 4 5 6 7 8 0"
KORF_1 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


def test_korfs_first_board_and_a_solved_board_are_solved(open_page: OpenPage) -> None:
    page = open_page(device="phone")
    submit_board(page, KORF_1, goal="blank-first")
    expect(part(page, "verdict")).to_have_text("57 moves — proven optimal")
    expect(part(page, "meaning")).to_have_text("No solution is shorter.")
    wait_for_player(page)
    # The verdict is above the board, on the first screen.
    verdict, board = (part(page, name).bounding_box() for name in ("verdict", "board"))
    assert verdict["y"] + verdict["height"] <= board["y"] < 812
    # The same puzzle with rows and columns exchanged has a stored solution.
    submit_board(page, "11 14 9 1 7 3 0 2 15 6 8 10 13 5 4 12", goal="blank-first")
    expect(part(page, "cached")).to_be_visible()
    submit_board(page, SOLVED_BOARD)
    expect(part(page, "verdict")).to_have_text("Already solved")
    expect(page).to_have_title("Already solved · 3×3 board · Tilework")
    expect(part(page, "certificate")).to_be_visible()
    expect(part(page, "controls")).to_be_hidden()
    assert find_overflow(page) == []
