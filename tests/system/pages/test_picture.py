import re
from pathlib import Path

from playwright.sync_api import expect

from tests.support.rendered_boards import draw_picture_file
from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import find_overflow


def test_picture_is_checked_before_use(open_page: OpenPage, web: str, tmp_path: Path) -> None:
    page = open_page(device="phone", base_url=web)
    expect(page.locator("#verdict")).to_contain_text("3×3")
    # Two tiles show a 5, so one of them is wrong, and both are doubtful.
    (tmp_path / "board.png").write_bytes(draw_picture_file([[1, 2, 3], [4, 5, 5], [7, 0, 8]]))
    page.locator("#picture").set_input_files(tmp_path / "board.png")
    review = page.get_by_role("dialog", name="Check the board")
    expect(review).to_be_visible()
    fields = review.get_by_role("textbox")
    expect(fields).to_have_count(9)
    expect(review.get_by_label("Row 2, column 3, uncertain")).to_be_visible()
    expect(review.get_by_label("uncertain").first).to_be_focused()
    assert find_violations(page) == []
    assert find_overflow(page) == []
    # The form has not changed yet.
    expect(page.get_by_label("Your board")).not_to_have_value(re.compile("4 5 6"))

    for index, tile in ((4, "6"), (5, "6")):
        fields.nth(index).fill(tile)
    expect(review.get_by_role("status")).to_contain_text("missing: 5")
    page.keyboard.press("Control+Enter")
    expect(review).to_be_visible()
    page.keyboard.type("5")
    expect(review.get_by_role("status")).not_to_contain_text("missing")
    page.keyboard.press("Enter")
    expect(review).to_be_hidden()
    expect(page.get_by_label("Your board")).to_have_value("1 2 3\n4 5 6\n7 0 8")
    expect(page.locator("#verdict")).to_contain_text("3×3: solvable.")
    expect(page).to_have_url(re.compile(r"/$"))

    # Another picture replaces the first one.
    page.locator("#picture").set_input_files(tmp_path / "board.png")
    expect(review).to_be_visible()
    fields.first.fill("x")
    review.get_by_role("button", name="Use this board").click()
    expect(fields.first).to_be_focused()
    expect(review).to_be_visible()
