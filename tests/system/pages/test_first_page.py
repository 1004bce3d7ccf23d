from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.visitor import JOB_URL, find_overflow, open_options


@pytest.fixture
def page(open_page: OpenPage, web: str) -> Page:
    page = open_page(base_url=web, expected="422")
    expect_verdict(page, "3×3: solvable.")
    return page


def expect_verdict(page: Page, text: str) -> None:
    expect(page.locator("#verdict")).to_contain_text(text)


def test_error_is_marked_and_solvability_is_explained(open_page: OpenPage, web: str) -> None:
    page = open_page(device="phone", base_url=web)
    field, verdict = page.get_by_label("Your board"), page.locator("#verdict")
    expect_verdict(page, "3×3: solvable.")
    field.fill("1 2 3\n4 q5 6\n7 8 0")
    page.get_by_role("button", name="Go to error").click()
    selection = field.evaluate("(area) => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert selection == "q5"
    field.fill("1 2 3 4 / 5 0 6 8 / 9 10 7 11 / 13 14 15 12")
    expect_verdict(page, "4×4: solvable.")
    verdict.get_by_text("Why?").click()
    expect_verdict(page, "the blank's row from 0 at the top instead, the sum is 6 + 1 = 7")
    verdict.get_by_text("By tile").click()
    expect_verdict(page, "Inverted pairs: 8-7 9-7 10-7 13-12 14-12 15-12")
    row = verdict.get_by_role("row", name="Manhattan")
    expect(row.get_by_role("cell")).to_have_text([*"000001100011000"])
    # Fifteen columns are wider than the panel: they scroll in it, and the page does not.
    assert find_overflow(page) == []
    # The goal of the largest rectangle around an invalid text could have millions of cells.
    goal = page.locator("#goal-picture")
    shape = goal.get_attribute("data-shape")
    field.fill("1\n" * 151 + "2 " * 150)  # the first line is a size
    expect_verdict(page, "Invalid board.")
    expect(page.locator("#height")).to_have_value("151")
    expect(goal).not_to_have_attribute("data-shape", shape)
    assert len(goal.get_attribute("data-shape").split()) == 1 + 10_000


def test_unsolvable_board_is_fixed_with_a_click(page: Page) -> None:
    page.get_by_label("Your board").fill("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0")
    expect_verdict(page, "4×4: unsolvable.")
    page.locator("#solve-it").press("Enter")
    error = page.get_by_role("alert")
    expect(error).to_contain_text("4×4: unsolvable.")
    page.locator("#verdict [data-tiles]").wait_for()
    error.get_by_role("button", name="Swap 14 and 15").click()
    expect_verdict(page, "4×4: already solved.")
    expect(error).to_have_count(0)


def test_editor_and_form_need_no_mouse(page: Page) -> None:
    page.locator("#editor-board [tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator('#editor-board [data-tile="5"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your board")).to_have_value("8 6 7\n2 0 4\n3 5 1")
    page.get_by_label("Your board").press("Control+Enter")
    expect(page).to_have_url(JOB_URL)


def test_files_of_every_kind_are_read_or_rejected_with_a_reason(page: Page, tmp_path: Path) -> None:
    np.save(tmp_path / "b.npy", np.arange(20).reshape(4, 5)[::-1])
    for name, content, expected in (
        ("b.npy", (tmp_path / "b.npy").read_bytes(), "5×4"),
        ("a.json", b"[[1, 2, 3], [4, 0, 5]]", "3×2"),
        ("sheet.txt", "1\t2\n3\t".encode("utf-16"), "2×2: already solved"),
        (
            "nothing.txt",
            b"",
            "nothing.txt cannot be read: 'nothing.txt' is empty; choose a file with a board.",
        ),
        ("program.txt", b"\x7fELF\x02\x01\x01\x00\x00", "program.txt cannot be read"),
        ("broken.npy", b"nothing", "broken.npy cannot be read"),
    ):
        file = {"name": name, "mimeType": "", "buffer": content}
        page.locator("#file").set_input_files(files=[file])
        element = page.get_by_role("alert") if name in expected else page.locator("#verdict")
        expect(element).to_contain_text(expected)
    expect_verdict(page, "2×2: already solved.")


def test_size_goal_and_options_are_submitted(page: Page) -> None:
    page.get_by_label("Width").fill("4")
    page.get_by_label("Height").fill("2")
    page.get_by_role("button", name="Reset to solved").click()
    expect(page.get_by_label("Your board")).to_have_value("4x2:\n1 2 3 4\n5 6 7 0")
    open_options(page)
    page.get_by_label("Goal", exact=True).select_option("own")
    page.get_by_label("Goal board").fill("1 2 3 4 5 6 0 7")
    expect_verdict(page, "1 misplaced tile")
    page.locator('[name="target"][value="gap"]').check(force=True)
    page.get_by_label("Maximum gap").fill("10")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page).to_have_url(JOB_URL)
    expect(page.locator("h1")).to_contain_text("within 10% of optimal")
    expect(page.locator("h1")).to_contain_text("goal: custom board")
