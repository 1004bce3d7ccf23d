from typing import Any

from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.scripts import resolve_scripts
from tests.system.pages.visitor import find_overflow
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last

DRAW = resolve_scripts("""async ([side, pixels]) => {
  const { CanvasBoard } = await import("SCRIPTS/board/canvas_board.js");
  const host = document.createElement("div");
  host.className = "board";
  host.style.cssText = `width: ${pixels}px; max-width: none; min-width: 0; padding: 0; border: 0`;
  document.body.append(host);
  const goal = Uint32Array.from({ length: side * side }, (_, cell) => (cell + 1) % (side * side));
  const numbers = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text) { numbers.push(Number(text)); };
  const board = new CanvasBoard(host, side, side, goal);
  board.draw(goal);
  CanvasRenderingContext2D.prototype.fillText = write;
  const { canvas } = board;
  const cell = canvas.width / side;
  host.remove();
  return { numbers, hasLines: board.gridLines !== null, cell };
}""")


def draw_board(page: Page, side: int, pixels: int) -> dict[str, Any]:
    drawing: dict[str, Any] = page.evaluate(DRAW, [side, pixels])
    return drawing


def test_drawing_depends_on_the_available_space(open_page: OpenPage, web: str) -> None:
    page = open_page("/statistics", base_url=web)
    for pixels, has_numbers, has_lines in ((22, True, True), (21, False, True), (7, False, False)):
        drawing = draw_board(page, 20, 20 * pixels)
        assert drawing["cell"] == pixels
        assert drawing["numbers"] == (list(range(1, 400)) if has_numbers else [])
        assert drawing["hasLines"] == has_lines


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
