"""The first screen: everything necessary is visible, and the input is kept after a reload.

It needs only the pages, without workers.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import find_overflow, open_options, read_tiles

SCREENS = [("desktop", "en-US", 1280, 900), ("phone", "pt-BR", 390, 844)]
LARGE_BOARD = " ".join(map(str, [*range(1, 10_000), 0]))
KORF_1 = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3"


def expect_check(page: Page, text: str) -> None:
    expect(page.locator("#verdict")).to_contain_text(text)


@pytest.mark.parametrize(("device", "locale", "width", "height"), SCREENS)
def test_everything_necessary_is_on_the_first_screen(
    open_page: OpenPage, web: str, device: str, locale: str, width: int, height: int
) -> None:
    viewport = {"width": width, "height": height}
    page = open_page(device=device, base_url=web, locale=locale, viewport=viewport)
    page.locator("#verdict [data-tiles]").wait_for()
    selectors = ["#editor-board", ".presets [data-size]", "#scramble", "#solve-it", "#play"]
    for selector in selectors:
        for element in page.locator(selector).all():
            box = element.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height, selector
    assert not page.locator("#goal").is_visible()
    assert find_overflow(page) == []


def test_newcomer_sees_the_goal_and_is_guided_to_a_move(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web, device="phone")
    expect(page.locator("#guide")).to_have_text("Your first move: tile 1.")
    expect(page.locator("#goal-picture .tile-home")).to_have_count(8)
    page.locator("#editor-board .tile-pointed").click()
    expect(page.locator("#guide")).to_have_text("Good! Now 30 moves remain.")
    page.get_by_label("Your board").fill("1 2 3\n4 5 6\n7 7 0")
    expect(page.locator("#editor-board .tile-invalid")).to_have_text(["7"])
    expect(page.locator("#editor-board .tile")).to_have_count(9)
    page.get_by_label("Your board").fill("1 2\n3 q\n0 4")
    expect(page.locator("#editor-board .tile-invalid")).to_have_text(["q"])
    expect(page.get_by_label("Width")).to_have_value("2")
    expect(page.locator("#guide")).to_be_empty()


def test_size_is_one_click_and_play_follows_the_board(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    expect_check(page, "3×3: solvable.")
    for side in (4, 6):
        page.locator(f'.presets [data-size="{side}"]').click()
        expect_check(page, f"{side}×{side}: solvable.")
        assert sorted(read_tiles(page)) == list(range(side * side))
        expect(page.locator('.presets [aria-pressed="true"]')).to_have_text(f"{side}×{side}")
        path = page.locator("#play").get_attribute("href")
        assert path is not None
        assert "+".join(map(str, read_tiles(page))) in path
        open_options(page)
        expect(page.get_by_text("Keep improving")).to_be_visible(visible=side == 6)
    for board, message in (
        ("1 2 3 4 5 6 8 7 0", ": unsolvable"),
        ("1 2 3 4 5 6 7 7 0", "more than once"),
    ):
        page.get_by_label("Your board").fill(board)
        expect_check(page, message)
        expect(page.locator("#play")).to_have_attribute("aria-disabled", "true")
        assert page.locator("#play").get_attribute("href") is None
        page.get_by_label("Your board").fill("1 2 3 4 5 6 7 0 8")
        expect_check(page, "3×3: solvable.")


def read_form(page: Page) -> dict[str, str]:
    return page.locator("#solve").evaluate("(form) => Object.fromEntries(new FormData(form))")


@pytest.mark.parametrize("board", [KORF_1, LARGE_BOARD], ids=["15-puzzle", "100x100"])
def test_board_and_goal_are_kept(open_page: OpenPage, web: str, board: str) -> None:
    page = open_page(base_url=web)
    expect_check(page, "3×3: solvable.")
    page.get_by_label("Your board").fill(board)
    open_options(page)
    page.get_by_label("Goal", exact=True).select_option("blank-first")
    page.locator("#time-limit").select_option("3600")
    verdict = page.locator("#verdict [data-solvable]")
    expect(verdict).to_have_attribute("data-goal", re.compile("^0 1 2 3 "))
    values = read_form(page)
    for action in ("reload", "back", "language"):
        if action == "reload":
            page.reload()
        elif action == "back":
            page.goto("/statistics")
            page.go_back()
        else:
            page.get_by_role("button", name="Português").click()
            expect(page.locator("html")).to_have_attribute("lang", "pt")
        page.locator("#verdict [data-tiles]").wait_for()
        assert read_form(page) == values, action
    # A new visitor starts with an empty form.
    page.goto("/")
    expect_check(page, "3×3")
    assert read_form(page)["goal"] == "blank-last"


def test_last_request_or_input_determines_the_board(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    expect_check(page, "3×3: solvable.")
    for enter, verdict in (
        (page.get_by_role("button", name="Reset to solved").click, "3×3: already solved."),
        (lambda: page.get_by_label("Your board").fill("1 2 3 0"), "2×2: already solved."),
    ):
        page.route("**/board/scramble", lambda _: None, times=1)  # waits
        with page.expect_event("requestfailed"):
            page.locator("#scramble").click()
            enter()
        expect_check(page, verdict)


def test_missing_blank_is_placed_with_one_click(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    board = "5 1 2 4\n9 6 3 8\n13 10 7 11\n14 15 12"
    page.get_by_label("Your board").fill(board)
    expect(page.locator("#verdict")).to_contain_text("the blank is missing in row 4")
    expect(page.locator("#editor-board .tile-invalid")).to_have_count(1)
    expect(page.locator("#editor-board .tile-invalid")).to_have_text("")
    page.get_by_role("button", name="Write 5 1 2 4").click()
    expect(page.locator("#verdict")).to_contain_text("4×4: solvable.")
    page.get_by_label("Your board").fill("812043765")
    expect(page.locator("#verdict")).to_contain_text("Read as 3×3, one digit or letter a tile.")


def test_board_with_another_goal_and_a_pair_take_one_click(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    page.get_by_label("Your board").fill("1 2 3\n8 0 4\n7 6 5")
    page.get_by_role("button", name="Use the goal: Spiral").click()
    expect(page.locator("#verdict")).to_contain_text("3×3: already solved.")
    page.get_by_label("Your board").fill("1 2 3 4 0 6 7 5 8 -> 1 2 3 4 5 6 7 8 0")
    expect(page.locator("#verdict")).to_contain_text("2 boards will be solved as a batch.")
    page.get_by_role("button", name="Use the second board as the goal").click()
    expect(page.locator("#verdict")).to_contain_text("3×3: solvable. 2 misplaced tiles")
