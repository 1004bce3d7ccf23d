from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Page, Request, expect

from tests.system.browser import OpenPage
from tests.system.pages.accessibility import find_violations
from tests.system.pages.player import play
from tests.system.pages.visitor import find_overflow, part

SIDE = 90
MARKER = b"a-text-inside-the-picture"


def make_picture() -> bytes:
    """Return a picture with 3 × 3 areas: red increases with the column, green with the row."""
    picture = Image.new("RGB", (SIDE, SIDE))
    for y, x in product(range(SIDE), repeat=2):
        picture.putpixel((x, y), (60 + x // 30 * 60, 60 + y // 30 * 60, 200))
    text = PngInfo()
    text.add_text("Comment", MARKER.decode())
    file = BytesIO()
    picture.save(file, "PNG", pnginfo=text)
    return file.getvalue()


def read_colour(page: Page, tile: int) -> list[int]:
    """Return the colour in the middle of a tile."""
    return page.locator(f'[data-tile="{tile}"] canvas').evaluate(
        """(canvas) => {
          const middle = [canvas.width / 2, canvas.height / 2];
          return [...canvas.getContext("2d").getImageData(...middle, 1, 1).data.slice(0, 3)];
        }"""
    )


def test_tiles_show_the_picture_and_no_request_contains_it(
    open_page: OpenPage, web: str, tmp_path: Path
) -> None:
    page = play(open_page, web, board="1 2 3 4 0 6 7 5 8", device="phone")
    requests: list[Request] = []

    def record(request: Request) -> None:
        requests.append(request)

    page.on("request", record)
    file = tmp_path / "quarters.png"
    file.write_bytes(make_picture())
    part(page, "picture").set_input_files(file)
    expect(page.locator(".tile canvas")).to_have_count(8)
    for tile, expected in ((1, [60, 60, 200]), (5, [120, 120, 200]), (6, [180, 120, 200])):
        assert read_colour(page, tile) == pytest.approx(expected, abs=3)
    assert find_violations(page) == []
    assert find_overflow(page) == []
    part(page, "board").focus()
    page.keyboard.press("ArrowUp")
    assert requests == []
    page.reload()
    expect(page.locator(".tile canvas")).to_have_count(8)  # stored with the game
    expect(part(page, "moves")).to_have_text("1")
    page.keyboard.press("ArrowLeft")
    expect(part(page, "end")).to_be_visible()
    for request in requests:
        assert request.url.startswith(web)
        assert request.method == "GET" or "/api/v1/hints" in request.url
        assert MARKER not in (request.post_data_buffer or b"")
        assert len(request.post_data_buffer or b"") < 200
    page.get_by_role("button", name="Remove picture").click()
    expect(page.locator(".tile canvas")).to_have_count(0)
    page.reload()
    expect(page.locator(".tile").first).to_be_visible()
    expect(page.locator(".tile canvas")).to_have_count(0)
    file.write_text("words")
    part(page, "picture").set_input_files(file)
    expect(part(page, "picture-text")).to_have_text(
        "quarters.png cannot be shown: use a PNG, JPEG, WebP or GIF picture."
    )
