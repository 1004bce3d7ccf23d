"""A form without a board shows the cells to fill, not the last board, and its buttons say so."""

import pytest
from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import find_overflow, read_tiles

FORMS = ["/", "/analyse", "/lab", "/compare", "/ways"]
BOARD = "1 2 3 4 5 6 7 0 8"
TWICE = "1 2 3\n4 5 6\n7 7 0"
INVALID_BOARD = "status of 422"


def open_form(open_page: OpenPage, web: str, path: str, **options: object) -> Page:
    viewport = {"width": 390, "height": 900}
    return open_page(path, base_url=web, viewport=viewport, expected=INVALID_BOARD, **options)


def expect_no_slabs(page: Page) -> None:
    """Expect that no visible board is an empty slab."""
    expect(page.locator("main")).to_be_visible()
    expect(page.locator(".board:empty:visible")).to_have_count(0)


def submit(page: Page, **fields: str) -> None:
    """Submit the form with these fields, whatever its scripts allow; wait for the error."""
    page.evaluate(
        """(fields) => {
          const form = document.querySelector("main form:has(#board)");
          for (const [name, value] of Object.entries(fields)) form.elements[name].value = value;
          form.submit();
        }""",
        fields,
    )
    expect(page.locator("#form-error .notice-bad")).to_be_visible()


def expect_empty_board(page: Page) -> None:
    expect(page.locator("#editor-board .tile-blank")).not_to_have_count(0)
    expect(page.locator("#editor-board .tile:not(.tile-blank)")).to_have_count(0)


def test_cleared_board_is_filled_cell_by_cell(open_page: OpenPage, web: str) -> None:
    page = open_form(open_page, web, "/", locale="pt-BR")
    button = page.get_by_role("button", name="Resolver", exact=True)
    expect(page.locator("#guide")).not_to_be_empty()
    expect(page.locator("#play")).to_have_attribute("aria-disabled", "false")
    page.get_by_role("button", name="Limpar", exact=True).click()
    expect_empty_board(page)
    expect(page.locator("#guide")).to_be_empty()
    expect(button).to_be_disabled()
    expect(page.locator("#play")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Control+Enter")
    assert find_overflow(page) == []
    assert find_violations(page) == []
    # Cells are filled one after the other; 6 moves to where it is typed again, and 0 is left out.
    for number in ("1", "2", "6", "4", "5", "6", "7"):
        page.keyboard.type(number)
        page.keyboard.press("Enter")
    expect(page.locator("#board")).to_have_value("1 2 .\n4 5 6\n7 . .")
    expect(button).to_be_disabled()
    page.locator('#editor-board [data-cell="8"]').click()
    page.keyboard.type("8")
    page.locator('#editor-board [data-cell="2"]').click()
    page.keyboard.type("3")
    expect(page.locator("#board")).to_have_value("1 2 3\n4 5 6\n7 0 8")
    expect(button).to_be_enabled()
    expect(page.locator("#play")).to_have_attribute("aria-disabled", "false")
    assert read_tiles(page) == [1, 2, 3, 4, 5, 6, 7, 0, 8]
    page.get_by_role("button", name="Limpar", exact=True).click()
    expect_empty_board(page)
    page.locator('[data-size="4"]').click()
    expect(page.locator("#editor-board button.tile")).to_have_count(16)
    expect(button).to_be_enabled()


def test_invalid_board_is_corrected_on_the_board(open_page: OpenPage, web: str) -> None:
    page = open_form(open_page, web, "/")
    page.locator("#board").fill(TWICE)
    expect(page.locator("#editor-board .tile-invalid")).to_have_text("7")
    page.locator("#editor-board .tile-invalid").click()
    page.keyboard.type("8")
    expect(page.locator("#verdict")).to_contain_text("3×3: already solved.")
    expect(page.locator("#board")).to_have_value("1 2 3\n4 5 6\n7 8 0")


@pytest.mark.parametrize("path", FORMS)
def test_no_form_has_an_empty_slab(open_page: OpenPage, web: str, path: str) -> None:
    page = open_form(open_page, web, path)
    page.get_by_role("textbox").first.fill("")
    expect_empty_board(page)
    expect_no_slabs(page)
    submit(page, board="")
    expect_empty_board(page)
    expect_no_slabs(page)
    submit(page, board=BOARD, goal="own", goal_board="1 2")
    expect(page.locator("#editor-board .tile:not(.tile-blank)")).to_have_count(8)
    expect_no_slabs(page)
    submit(page, board="1 1 2 0")
    expect(page.locator("#editor-board .tile-invalid")).to_have_text("1")
    submit(page, board="1 1 " * 5_101)
    expect(page.locator("#editor-board .tile:not(.tile-blank)")).not_to_have_count(0)
    expect_no_slabs(page)
    assert find_overflow(page) == []


@pytest.mark.parametrize("path", FORMS)
def test_no_form_has_an_empty_slab_without_scripts(
    open_page: OpenPage, web: str, path: str
) -> None:
    page = open_form(open_page, web, path, java_script_enabled=False)
    expect_no_slabs(page)
    page.locator("#board").fill("")
    page.locator("main form:has(#board) .button-main").first.click()
    expect(page.locator("#form-error .notice-bad")).to_be_visible()
    expect_no_slabs(page)


def test_no_game_has_an_empty_slab_without_scripts(open_page: OpenPage, web: str) -> None:
    page = open_form(open_page, web, "/play", java_script_enabled=False)
    expect(page.locator("noscript .notice")).to_be_visible()
    expect_no_slabs(page)
