"""Boards too large for a tile of its own each: what is drawn at which size, and their editing."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.rules import faults
from tests.system.pages.scripts import with_scripts
from tests.system.pages.visitor import overflow
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

pytestmark = pytest.mark.browser

DRAWN = with_scripts("""async ([side, pixels]) => {
  const { CanvasBoard } = await import("SCRIPTS/board/canvas_board.js");
  const host = document.createElement("div");
  host.className = "board";
  host.style.cssText = `width: ${pixels}px; max-width: none; min-width: 0; padding: 0; border: 0`;
  document.body.append(host);
  const goal = Uint32Array.from({ length: side * side }, (_, cell) => (cell + 1) % (side * side));
  const said = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text) { said.push(Number(text)); };
  const board = new CanvasBoard(host, side, side, goal);
  board.draw(goal);
  CanvasRenderingContext2D.prototype.fillText = write;
  const { canvas } = board;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const cell = canvas.width / side;
  const middles = [...goal.keys()].map((place) => {
    const [x, y] = [(place % side + 0.5) * cell, (Math.floor(place / side) + 0.5) * cell];
    const start = (Math.floor(y) * canvas.width + Math.floor(x)) * 4;
    return [...data.slice(start, start + 3)];
  });
  host.remove();
  return { said, lined: board.lines !== null, cell, middles };
}""")


def drawn(page: Page, side: int, pixels: int) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(DRAWN, [side, pixels])
    return found


@pytest.mark.parametrize(
    ("pixels", "numbered", "lined"),
    [(22, True, True), (21, False, True), (8, False, True), (7, False, False)],
)
def test_numbers_and_lines_are_there_where_there_is_room(
    open_page: OpenPage, pixels: int, numbered: bool, lined: bool
) -> None:
    page = open_page("/statistics")
    found = drawn(page, 20, 20 * pixels)
    assert found["cell"] == pixels
    assert found["said"] == (list(range(1, 400)) if numbered else [])
    assert found["lined"] == lined


def test_no_colour_of_the_field_is_grey_and_neighbours_are_near(open_page: OpenPage) -> None:
    page = open_page("/statistics")
    side = 100
    colours = drawn(page, side, side)["middles"][:-1]
    # The light corner is a glaze; all else has a colour that is seen.
    pale = [max(colour) - min(colour) < 40 for colour in colours]
    assert not any(pale[cell] for cell in range(len(pale)) if cell % side < side * 0.8)
    for cell, colour in enumerate(colours):
        if cell % side and cell < side * side - 2:
            assert max(abs(a - b) for a, b in zip(colour, colours[cell - 1], strict=True)) < 24
    assert len({tuple(colour) for colour in colours}) > side * side * 0.6


def shown_text(page: Page) -> list[int]:
    return [int(tile) for tile in page.locator("#board").input_value().split()]


@pytest.fixture
def large(open_page: OpenPage, device: str) -> Page:
    """The lab's form with a board of 15×15, whose blank is in its last cell."""
    page = open_page("/lab", device=device)
    goal = blank_last(Size(15, 15)).cells.tolist()
    text = "\n".join(" ".join(map(str, goal[row * 15 : row * 15 + 15])) for row in range(15))
    page.locator("#board").fill(text)
    expect(page.locator("#editor-board canvas")).to_be_visible()
    return page


def test_a_large_board_slides_under_the_pointer(large: Page) -> None:
    box = large.locator("#editor-board canvas").bounding_box()
    assert box is not None
    # The cell three to the left of the blank.
    large.mouse.click(box["x"] + box["width"] * 11.5 / 15, box["y"] + box["height"] * 14.5 / 15)
    assert shown_text(large)[-4:] == [0, 222, 223, 224]
    assert overflow(large) == []
    assert faults(large) == []


def test_a_large_board_is_edited_by_keys(large: Page) -> None:
    large.locator("#editor-board .board-field").focus()
    said = large.locator("#editor-board [role=status]")
    for _ in range(14):
        large.keyboard.press("ArrowRight")
    for _ in range(13):
        large.keyboard.press("ArrowDown")
    expect(said).to_have_text("210, row 14, column 15")
    large.keyboard.press("Enter")
    tiles = shown_text(large)
    assert (tiles[13 * 15 + 14], tiles[-1]) == (0, 210)


def test_two_tiles_of_a_large_board_change_places(open_page: OpenPage) -> None:
    page = open_page("/")
    board = scramble(Size(16, 16), blank_last(Size(16, 16)), seed=3).cells.tolist()
    page.locator("#board").fill(f"16x16: {' '.join(map(str, board))}")
    canvas = page.locator("#editor-board canvas")
    expect(canvas).to_be_visible()
    page.locator('[name="editor-mode"][value="swap"]').check(force=True)
    box = canvas.bounding_box()
    assert box is not None
    step = box["width"] / 16
    for column in (2, 5):
        page.mouse.click(box["x"] + (column + 0.5) * step, box["y"] + 0.5 * step)
    assert shown_text(page)[:6] == [board[0], board[1], board[5], board[3], board[4], board[2]]
