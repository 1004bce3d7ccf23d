from typing import Any

from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.fake_hints import FakeHints

# A board whose blank is in the last cell, far from its goal.
BOARD = [5, 1, 3, 4, 9, 2, 7, 8, 6, 10, 11, 12, 13, 15, 14, 0]


def play(open_page: OpenPage, web: str, board: str | None = None, **options: Any) -> Page:
    """Open the game with a board, as a new visitor.

    By default it has no service worker, and a fake API of hints.
    """
    text = " ".join(map(str, BOARD)) if board is None else board
    settings = {"service_workers": "block"} | options
    expected = f"registration blocked|{settings.pop('expected', '(?!)')}"
    page = open_page(f"/play?board={text}", base_url=web, expected=expected, **settings)
    if settings["service_workers"] == "block":
        FakeHints().install(page)
    expect(page.locator(".tile").first).to_be_visible()
    return page


def locate_cell(page: Page, cell: int) -> tuple[float, float]:
    """Return the position of the middle of a cell on the screen."""
    box = page.locator(".board-field").first.bounding_box()
    board = page.locator(".board").first
    columns = int(board.evaluate("(board) => board.style.getPropertyValue('--columns')"))
    side = box["width"] / columns
    return box["x"] + (cell % columns + 0.5) * side, box["y"] + (cell // columns + 0.5) * side


class Finger:
    """A finger on a phone, simulated with touch events."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._start = (0.0, 0.0)

    def down(self, x: float, y: float) -> None:
        self._start = (x, y)
        self._send("touchStart", x, y)

    def move(self, across: float, down: float) -> None:
        """Move via the halfway point to this distance from the point that was touched first."""
        x, y = self._start
        for fraction in (0.5, 1.0):
            self._send("touchMove", x + across * fraction, y + down * fraction)

    def up(self) -> None:
        self._send("touchEnd")

    def cancel(self) -> None:
        self._send("touchCancel")

    def _send(self, kind: str, *position: float) -> None:
        points = [{"x": position[0], "y": position[1]}] if position else []
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
