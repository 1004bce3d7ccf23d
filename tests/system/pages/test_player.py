"""Playing a solution: buttons, keys, slider, formats; small boards as tiles, large as a picture."""

from __future__ import annotations

import re
from base64 import b64encode

import httpx2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.scripts import with_scripts
from tests.system.pages.visitor import give, part, shown_tiles, wait_for_player
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import two_bits
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble

pytestmark = pytest.mark.browser

START = [8, 6, 7, 2, 5, 4, 3, 0, 1]
LENGTH = 31
FORMATS = {
    "udlr": r"^[UDLR]{31}$",
    "runs": r"^[UDLR]",
    "tiles": r"^\d( \d){30}$",
    "text": r"^Minimum number of moves = 31\n",
    "arrows": r"^\|",
    "json": r"^\{",
}


@pytest.fixture
def solved(open_page: OpenPage) -> Page:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    give(page, " ".join(map(str, START)))
    wait_for_player(page)
    return page


def moves_of(page: Page) -> str:
    """The moves as the API gives them."""
    address = page.locator("#job").get_attribute("data-address")
    return page.request.get(f"{address}/solution?format=udlr").text().strip()


def test_every_position_can_be_reached_and_is_right(solved: Page) -> None:
    moves = from_letters(moves_of(solved))
    assert len(moves) == LENGTH
    place = part(solved, "place")
    assert shown_tiles(solved) == START
    part(solved, "forward").click()
    part(solved, "forward").click()
    expect(place).to_have_text("Move 2 of 31")
    assert shown_tiles(solved) == apply(Board(START), moves[:2]).cells.tolist()
    part(solved, "back").click()
    assert shown_tiles(solved) == apply(Board(START), moves[:1]).cells.tolist()
    solved.locator("#scrub").fill("17")
    assert shown_tiles(solved) == apply(Board(START), moves[:17]).cells.tolist()
    part(solved, "last").click()
    assert shown_tiles(solved) == blank_last(Size(3, 3)).cells.tolist()
    expect(solved.locator(".tile-home")).to_have_count(8)
    part(solved, "first").click()
    assert shown_tiles(solved) == START


def test_keys_steer_the_player(solved: Page) -> None:
    place = part(solved, "place")
    solved.keyboard.press("End")
    expect(place).to_have_text("Move 31 of 31")
    solved.keyboard.press("ArrowLeft")
    expect(place).to_have_text("Move 30 of 31")
    solved.keyboard.press("Home")
    solved.locator("h1").click()
    solved.keyboard.press("ArrowRight")
    expect(place).to_have_text("Move 1 of 31")
    expect(solved.locator(".board")).to_have_attribute(
        "aria-label", re.compile(r"^Board 3×3, row by row: 8 6 7; 2 5 4; (blank 3|3 1 blank)|8 6 7")
    )
    solved.keyboard.press(" ")
    expect(part(solved, "play")).to_contain_text("Pause")
    solved.keyboard.press(" ")
    expect(part(solved, "play")).to_contain_text("Play")


def test_playing_ends_at_the_goal(solved: Page) -> None:
    part(solved, "speed").select_option("60")
    part(solved, "play").click()
    expect(part(solved, "place")).to_have_text("Move 31 of 31")
    expect(part(solved, "play")).to_contain_text("Play")
    assert shown_tiles(solved) == blank_last(Size(3, 3)).cells.tolist()
    expect(part(solved, "spoken")).to_contain_text("Move 31 of 31")


def test_every_format_is_downloaded(solved: Page) -> None:
    for solution_format, begins in FORMATS.items():
        part(solved, "format").select_option(solution_format)
        with solved.expect_download() as waiting:
            part(solved, "download").click()
        text = waiting.value.path().read_text(encoding="utf-8")
        assert re.search(begins, text.strip()), text[:200]
        assert solution_format in waiting.value.suggested_filename


def test_a_solution_is_copied(solved: Page) -> None:
    part(solved, "copy").click()
    expect(part(solved, "copied")).to_have_text("Copied.")
    copied = solved.evaluate("navigator.clipboard.readText()").strip()
    assert copied == moves_of(solved)
    replay(Board(START), from_letters(copied), blank_last(Size(3, 3)))


def test_a_hundred_by_a_hundred_is_played_as_a_picture(open_page: OpenPage, site: str) -> None:
    size = Size(100, 100)
    board = scramble(size, blank_last(size), seed=5)
    text = " ".join(map(str, board.cells.tolist()))
    options = {"board": text, "target": "any"}
    job = httpx2.post(f"{site}/api/v1/jobs", json=options, timeout=60).json()
    page = open_page(f"/jobs/{job['id']}")
    expect(part(page, "controls")).to_be_visible()
    expect(page.locator(".board canvas")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".board")).to_have_attribute(
        "aria-label", "Board 100×100: 9999 of 9999 tiles are home"
    )
    page.keyboard.press("Home")
    length = int(page.locator("#scrub").get_attribute("max"))
    assert length > 100_000
    slowest_ms = page.evaluate(
        """(length) => {
          const scrub = document.getElementById("scrub");
          let slowest = 0;
          for (const share of [0.5, 0.25, 0.9, 0.1, 1, 0]) {
            const before = performance.now();
            scrub.value = Math.round(length * share);
            scrub.dispatchEvent(new Event("input"));
            slowest = Math.max(slowest, performance.now() - before);
          }
          return slowest;
        }""",
        length,
    )
    assert slowest_ms < 2000


def test_walking_a_long_solution_agrees_with_the_replay(open_page: OpenPage) -> None:
    size = Size(6, 5)
    goal = blank_last(size)
    random = np.random.default_rng(3)
    moves = []
    blank_row, blank_column = size.height - 1, size.width - 1
    for code in random.integers(4, size=800_000).tolist():
        row = blank_row + (1, -1, 0, 0)[code]
        column = blank_column + (0, 0, 1, -1)[code]
        if 0 <= row < size.height and 0 <= column < size.width:
            blank_row, blank_column = row, column
            moves.append(code)
    path = np.array(moves, dtype=np.uint8)
    places = [
        0,
        1,
        len(moves),
        *random.integers(len(moves), size=20).tolist(),
        (1 << 18) - 1,
        1 << 18,
        (1 << 18) + 1,
    ]
    page = open_page("/statistics")
    shown = page.evaluate(
        with_scripts("""async ([start, width, length, packed, places]) => {
          const { Playback } = await import("SCRIPTS/board/playback.js");
          const { Moves, PIECE_MOVES } = await import("SCRIPTS/board/moves.js");
          const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
          const pieces = [];
          for (let first = 0; first < bytes.length; first += PIECE_MOVES / 4) {
            pieces.push(bytes.slice(first, first + PIECE_MOVES / 4));
          }
          const playback = new Playback(start, width, new Moves("", "", length, pieces));
          await playback.load(() => {}, new AbortController().signal);
          return places.map((place) => { playback.seek(place); return [...playback.cells]; });
        }"""),
        [goal.cells.tolist(), size.width, len(moves), b64encode(two_bits(path)).decode(), places],
    )
    for place, cells in zip(places, shown, strict=True):
        assert cells == apply(goal, path[:place]).cells.tolist()
