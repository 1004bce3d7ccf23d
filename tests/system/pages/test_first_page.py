"""Ways to give a board: typing, tiles, files, scrambles, examples."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.visitor import JOB_ADDRESS, open_options, overflow, part, shown_tiles

pytestmark = pytest.mark.browser


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    page = open_page()
    expect(page.locator("#verdict")).to_contain_text("3×3, solvable.")
    return page


def test_a_fault_is_told_while_typing_and_found_again(page: Page) -> None:
    field = page.get_by_label("Your board")
    field.fill("1 2 3\n4 q5 6\n7 8 0")
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("Line 2, column 3: 'q5' is not a tile")
    page.get_by_role("button", name="Show me").click()
    selected = field.evaluate(
        "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    )
    assert selected == "q5"
    field.fill("1 2 3\n4 5 6\n7 8 0")
    expect(verdict).to_contain_text("0 tiles away from home")


def test_an_unsolvable_board_is_explained_in_words(open_page: OpenPage) -> None:
    page = open_page(expected="422")
    page.locator(".example", has_text="Loyd").click()
    expect(page.locator("#verdict")).to_contain_text("4×4, not solvable.")
    expect(page.locator("#verdict")).to_contain_text("is odd, so the goal cannot be reached.")
    page.get_by_role("button", name="Solve it").click()
    expect(page.get_by_role("alert")).to_contain_text("is odd, so the goal cannot be reached.")


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_board_is_told_tile_by_tile(open_page: OpenPage, device: str) -> None:
    page = open_page(device=device)
    page.get_by_label("Your board").fill("1 2 3 4 / 5 0 6 8 / 9 10 7 11 / 13 14 15 12")
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("4×4, solvable.")
    verdict.get_by_text("Why?").click()
    expect(verdict).to_contain_text(
        "By the blank's row, counted from 0 at the top, it is 6 + 1 = 7"
    )
    verdict.get_by_text("Tile by tile").click()
    expect(verdict).to_contain_text("Inverted pairs: 8-7 9-7 10-7 13-12 14-12 15-12")
    row = verdict.get_by_role("row", name="Manhattan")
    expect(row.get_by_role("cell")).to_have_text([*"000001100011000"])
    # Fifteen columns are wider than the panel: they scroll in it, and the page does not.
    assert overflow(page) == []


def test_tiles_slide_and_change_places(page: Page) -> None:
    field = page.get_by_label("Your board")
    page.locator('#editor-board [data-tile="5"]').click()
    expect(field).to_have_value("8 6 7\n2 0 4\n3 5 1")
    page.locator('#editor-board [data-tile="4"]').click()
    expect(field).to_have_value("8 6 7\n2 4 0\n3 5 1")
    page.locator('#editor-board [data-tile="8"]').click()  # in neither row nor column of the blank
    expect(field).to_have_value("8 6 7\n2 4 0\n3 5 1")
    page.get_by_label("Swap two").check(force=True)
    page.locator('#editor-board [data-tile="8"]').click()
    page.locator('#editor-board [data-tile="1"]').click()
    expect(field).to_have_value("1 6 7\n2 4 0\n3 5 8")
    expect(page.locator("#verdict")).to_contain_text("not solvable")
    assert shown_tiles(page) == [1, 6, 7, 2, 4, 0, 3, 5, 8]


def test_the_editor_needs_no_mouse(page: Page) -> None:
    page.locator("#editor-board [tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator('#editor-board [data-tile="5"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your board")).to_have_value("8 6 7\n2 0 4\n3 5 1")


def test_enter_in_a_size_field_makes_that_board(page: Page) -> None:
    page.get_by_label("Width").fill("5")
    page.get_by_label("Height").fill("2")
    page.get_by_label("Height").press("Enter")
    expect(page.locator("#verdict")).to_contain_text("5×2, solvable.")
    assert sorted(shown_tiles(page)) == list(range(10))
    assert page.url.endswith("/")


def test_control_and_enter_solve(page: Page) -> None:
    page.get_by_label("Your board").fill("1 2 3 4 5 6 0 7 8")
    page.get_by_label("Your board").press("Control+Enter")
    expect(page).to_have_url(JOB_ADDRESS)


def test_files_of_every_kind_are_read(page: Page, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("2\n3 1\n2 0\n")
    (tmp_path / "b.json").write_text(json.dumps([[1, 2, 3], [4, 0, 5]]))
    np.save(tmp_path / "c.npy", np.arange(20).reshape(4, 5)[::-1])
    for name, words in (("a.txt", "2×2"), ("b.json", "3×2"), ("c.npy", "5×4")):
        page.locator("#file").set_input_files(tmp_path / name)
        expect(page.locator("#verdict")).to_contain_text(words)


def test_a_broken_file_is_told(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(expected="422")
    expect(page.locator("#verdict")).to_contain_text("3×3")
    (tmp_path / "broken.npy").write_bytes(b"nothing")
    page.locator("#file").set_input_files(tmp_path / "broken.npy")
    expect(page.get_by_role("alert")).to_contain_text("broken.npy cannot be read")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)


def test_size_goal_and_choices(page: Page) -> None:
    page.get_by_label("Width").fill("4")
    page.get_by_label("Height").fill("2")
    page.get_by_role("button", name="In order").click()
    expect(page.get_by_label("Your board")).to_have_value("4x2:\n1 2 3 4\n5 6 7 0")
    open_options(page)
    page.get_by_label("Goal", exact=True).select_option("own")
    page.get_by_label("Goal board").fill("1 2 3 4 5 6 0 7")
    expect(page.locator("#verdict")).to_contain_text("1 tile away from home")
    page.locator('[name="target"][value="gap"]').check(force=True)
    page.get_by_label("Largest gap").fill("10")
    page.get_by_role("button", name="Solve it").click()
    expect(page).to_have_url(JOB_ADDRESS)
    expect(part(page, "verdict")).to_have_text("1 move, none shorter")
    expect(page.locator(".job-head")).to_contain_text("within 10% of the optimum")
    expect(page.locator(".job-head")).to_contain_text("goal: a board of its own")
