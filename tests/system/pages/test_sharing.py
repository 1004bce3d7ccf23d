"""Links to a move, and what a job's page gives to others, on a desktop and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.visitor import give, overflow, part, shown_tiles, wait_for_player
from tilework.core.formats.board_text import read_board
from tilework.core.formats.moves_text import read_moves
from tilework.core.puzzle.replay import apply

pytestmark = pytest.mark.browser

BOARD = "8 6 7 2 5 4 3 0 1"
MOVE = 12


def after(page: Page, move: int) -> list[int]:
    """The tiles after so many moves of the solution that the API tells."""
    job = page.url.rpartition("/")[2].partition("#")[0]
    letters = page.request.get(f"/api/v1/jobs/{job}/solution?format=udlr").text()
    start = read_board(BOARD)
    return apply(start, read_moves(letters, start)[:move]).cells.tolist()


def test_a_link_shows_its_move_and_the_address_follows(open_page: OpenPage, device: str) -> None:
    page = open_page(device=device)
    give(page, BOARD)
    wait_for_player(page)
    page.goto(f"{page.url}#move={MOVE}")
    expect(part(page, "place")).to_have_text(f"Move {MOVE} of 31")
    page.reload()
    expect(part(page, "place")).to_have_text(f"Move {MOVE} of 31")
    assert shown_tiles(page) == after(page, MOVE)
    part(page, "forward").click()
    expect(page).to_have_url(re.compile(rf"#move={MOVE + 1}$"))
    entries = page.evaluate("history.length")
    part(page, "last").click()
    expect(page).to_have_url(re.compile(r"#move=31$"))
    part(page, "first").click()
    expect(page).to_have_url(re.compile(r"/[0-9a-f-]{36}$"))
    assert page.evaluate("history.length") == entries  # the way back leads out of the page
    page.evaluate("location.hash = 'move=3'")
    expect(part(page, "place")).to_have_text("Move 3 of 31")
    for beyond in ("move=99999", "move=-1", "move=x"):
        page.goto("/statistics")
        page.go_back()
        page.evaluate("(hash) => { location.hash = hash }", beyond)
        page.reload()
        wait_for_player(page)
        expect(part(page, "place")).to_have_text(re.compile(r"Move (0|31) of 31"))


def test_the_device_shares_where_it_can_and_else_the_link_is_copied(open_page: OpenPage) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script("delete Navigator.prototype.share")
    give(page, BOARD)
    wait_for_player(page)
    part(page, "share").click()
    expect(part(page, "share")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url

    page.add_init_script("Navigator.prototype.share = async (given) => { window.given = given; }")
    page.reload()
    expect(part(page, "share")).to_have_text("Share")
    part(page, "share").click()
    assert page.evaluate("window.given") == {"title": page.title(), "url": page.url}


def test_a_phone_can_read_the_code_and_others_the_picture(open_page: OpenPage, device: str) -> None:
    page = open_page(device=device, color_scheme="dark")
    give(page, BOARD)
    wait_for_player(page)
    page.get_by_text("QR code", exact=True).click()
    seen = page.locator("img.code")
    expect(seen).to_have_js_property("complete", True)
    pixels = cv2.imdecode(np.frombuffer(seen.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert cv2.QRCodeDetector().detectAndDecode(pixels)[0] == page.url
    expect(part(page, "animation")).to_be_visible()
    page.get_by_text("On a page of yours").click()
    assert overflow(page) == []


def test_the_sheet_prints_board_moves_and_code(open_page: OpenPage, device: str) -> None:
    page = open_page(device=device)
    give(page, BOARD)
    wait_for_player(page)
    page.get_by_role("link", name="Printable sheet").click()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    assert overflow(page) == []
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.get_by_role("navigation")).to_be_hidden()
    for picture in page.locator("main img").all():
        expect(picture).to_be_visible()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("(one) => one.naturalWidth") > 0


def test_another_sites_page_can_show_the_player_and_nothing_else(
    open_page: OpenPage, device: str
) -> None:
    page = open_page(device=device, expected=r"frame-ancestors|X-Frame-Options|Refused to")
    give(page, BOARD)
    wait_for_player(page)
    own = page.url
    snippet = part(page, "frame").input_value()
    blog = f"<!doctype html><title>x</title>{snippet}<iframe id=own src='{own}'></iframe>"
    with page_of_another_site(blog) as address:
        page.goto(address)
        frame = page.frame_locator("iframe >> nth=0")
        expect(frame.locator('[data-part="place"]')).to_have_text("Move 0 of 31")
        frame.get_by_role("button", name="One move forward").click()
        expect(frame.locator('[data-part="place"]')).to_have_text("Move 1 of 31")
        expect(page.frame_locator("#own").locator("#job")).to_have_count(0)


@contextmanager
def page_of_another_site(html: str) -> Iterator[str]:
    """Serve a page from another origin; one made up by the browser may not frame local ones."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()
