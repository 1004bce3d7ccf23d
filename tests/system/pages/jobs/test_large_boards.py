from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.visitor import find_overflow
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last


def read_tiles(page: Page) -> list[int]:
    return [int(tile) for tile in page.locator("#board").input_value().split()]


def test_large_board_slides_by_pointer_and_keys(open_page: OpenPage, web: str) -> None:
    page = open_page("/lab", device="phone", base_url=web)
    goal = blank_last(Size(15, 15)).cells.tolist()
    text = "\n".join(" ".join(map(str, goal[row * 15 : row * 15 + 15])) for row in range(15))
    page.locator("#board").fill(text)
    canvas = page.locator("#editor-board canvas")
    expect(canvas).to_be_visible()
    page.locator("#editor-board .board-field").focus()
    message = page.locator("#editor-board [role=status]")
    for _ in range(14):
        page.keyboard.press("ArrowRight")
    for _ in range(13):
        page.keyboard.press("ArrowDown")
    expect(message).to_have_text("210, row 14, column 15")
    page.keyboard.press("Enter")
    tiles = read_tiles(page)
    assert (tiles[13 * 15 + 14], tiles[-1]) == (0, 210)
    box = canvas.bounding_box()
    # Three cells to the left of the blank, which is at the end of the second-to-last row.
    page.mouse.click(box["x"] + box["width"] * 11.5 / 15, box["y"] + box["height"] * 13.5 / 15)
    assert read_tiles(page)[-19:-15] == [0, 207, 208, 209]
    assert find_overflow(page) == []
    assert find_violations(page) == []
