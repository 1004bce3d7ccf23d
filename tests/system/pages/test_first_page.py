"""The first page, without workers: its screen, its checks, and what it keeps and submits."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.app_server import serve_pages
from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import JOB_URL, find_overflow, open_options, read_tiles

SCREENS = [("desktop", "en-US", 1280, 900), ("phone", "pt-BR", 390, 844)]
LARGE_BOARD = " ".join(map(str, [*range(1, 10_000), 0]))


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


def test_newcomer_sees_the_goal_and_invalid_tiles(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web, device="phone")
    expect(page.locator("#goal-picture .tile-home")).to_have_count(8)
    expect(page.locator("#guide")).not_to_be_empty()
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


def test_board_that_is_too_large_to_play_says_so(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    page.get_by_label("Your board").fill(f"21x2: {' '.join(map(str, range(1, 42)))} 0")
    expect_check(page, "21×2: already solved.")
    page.locator("#play").click()
    message = "21×2 boards are too large to play; use a board of up to 20 × 20."
    expect(page.get_by_role("alert")).to_have_text(message)


def read_form(page: Page) -> dict[str, str]:
    """Return the values that the form would send."""
    return page.locator("#solve").evaluate("(form) => Object.fromEntries(new FormData(form))")


def test_board_and_goal_are_kept(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    expect_check(page, "3×3: solvable.")
    page.get_by_label("Your board").fill(LARGE_BOARD)
    open_options(page)
    page.get_by_label("Goal", exact=True).select_option("blank-first")
    page.locator("#time-limit").select_option("3600")
    verdict = page.locator("#verdict [data-tiles]")
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
        page.route("**/boards/scramble", lambda _: None, times=1)  # waits
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


def test_error_is_marked_and_solvability_is_explained(open_page: OpenPage, web: str) -> None:
    page = open_page(device="phone", base_url=web)
    field, verdict = page.get_by_label("Your board"), page.locator("#verdict")
    expect_check(page, "3×3: solvable.")
    field.fill("1 2 3\n4 q5 6\n7 8 0")
    page.get_by_role("button", name="Go to error").click()
    selection = field.evaluate("(area) => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert selection == "q5"
    field.fill("1 2 3 4 / 5 0 6 8 / 9 10 7 11 / 13 14 15 12")
    expect_check(page, "4×4: solvable.")
    verdict.get_by_text("Why?").click()
    expect_check(page, "the blank's row from 0 at the top instead, the sum is 6 + 1 = 7")
    verdict.get_by_text("By tile").click()
    expect_check(page, "Inverted pairs: 8-7 9-7 10-7 13-12 14-12 15-12")
    row = verdict.get_by_role("row", name="Manhattan")
    expect(row.get_by_role("cell")).to_have_text([*"000001100011000"])
    # Fifteen columns are wider than the panel: they scroll in it, and the page does not.
    assert find_overflow(page) == []
    # The goal of the largest rectangle around an invalid text could have millions of cells.
    goal = page.locator("#goal-picture")
    shape = goal.get_attribute("data-shape")
    field.fill("1\n" * 151 + "2 " * 150)  # the first line is a size
    expect_check(page, "Invalid board.")
    expect(page.locator("#height")).to_have_value("151")
    expect(goal).not_to_have_attribute("data-shape", shape)
    assert len(goal.get_attribute("data-shape").split()) == 1 + 10_000


def test_size_goal_and_options_are_submitted(open_page: OpenPage, web: str) -> None:
    page = open_page(base_url=web)
    expect_check(page, "3×3: solvable.")
    page.get_by_label("Width").fill("4")
    page.get_by_label("Height").fill("2")
    page.get_by_role("button", name="Reset to solved").click()
    expect(page.get_by_label("Your board")).to_have_value("4x2:\n1 2 3 4\n5 6 7 0")
    open_options(page)
    page.get_by_label("Goal", exact=True).select_option("own")
    page.get_by_label("Goal board").fill("1 2 3 4 5 6 0 7")
    expect_check(page, "1 misplaced tile")
    page.locator('[name="target"][value="gap"]').check(force=True)
    page.get_by_label("Maximum gap").fill("10")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page).to_have_url(JOB_URL)
    expect(page.locator("h1")).to_contain_text("within 10% of optimal")
    expect(page.locator("h1")).to_contain_text("goal: custom board")


@pytest.fixture
def strict_site(tmp_path: Path) -> Iterator[str]:
    """The URL of pages for one unfinished job per client, without workers."""
    with serve_pages(tmp_path, jobs_per_client=1) as (url, _):
        yield url


@pytest.fixture
def open_strict_page(strict_site: str, open_page: OpenPage) -> OpenPage:
    """Opens pages that are closed before their server stops, so their requests do not fail."""
    return open_page


def test_error_stays_visible_until_the_form_is_changed(
    open_strict_page: OpenPage, strict_site: str
) -> None:
    page = open_strict_page(device="phone", base_url=strict_site, expected="status of 429")
    page.get_by_label("Your board").fill("1 2 3 4 5 6 0 7 8")
    page.locator("#solve-it").press("Enter")
    expect(page).to_have_url(JOB_URL)
    page.goto("/")
    page.get_by_label("Your board").fill("8 6 7 2 5 4 3 0 1")
    open_options(page)
    page.get_by_label("Time limit").select_option("3600")
    values = read_form(page)
    # A click could miss the button, which moves when the result of the check appears.
    with page.expect_response("**/board/check"):
        page.locator('main .button-main[type="submit"]').press("Enter")
    page.wait_for_load_state("networkidle")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("You have 1 unfinished job")
    expect(alert).to_be_in_viewport(ratio=1)
    expect(alert).to_be_focused()
    assert read_form(page) == values
    assert find_overflow(page) == []
    assert find_violations(page) == []
    page.locator('main .button-main[type="submit"]').scroll_into_view_if_needed()
    expect(alert).to_be_in_viewport(ratio=1)
    page.get_by_label("Your board").fill("2 3 1 0")
    expect(page.locator("#verdict")).to_contain_text("2×2")
    expect(alert).to_have_count(0)
