import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.player import BOARD, Finger, locate_cell, play
from tests.system.pages.visitor import download, part, read_tiles
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply


def expect_counts(page: Page, moves: int, slides: int) -> None:
    expect(part(page, "moves")).to_have_text(str(moves))
    expect(part(page, "slides")).to_have_text(str(slides))


def test_keys_move_tiles_and_moves_can_be_undone(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web)
    expect(part(page, "board")).to_be_focused()
    start = Board(BOARD)
    letters_played = ""
    for key, letters in (("ArrowRight", "R"), ("d", "R"), ("S", "DDD"), ("ArrowLeft", "L")):
        page.keyboard.press(f"Shift+{key}" if len(letters) > 1 else key)
        letters_played += letters
        assert read_tiles(page) == apply(start, from_letters(letters_played)).cells.tolist()
    expect_counts(page, moves=6, slides=4)
    for _ in range(4):  # the last has no effect: the blank is at the edge
        page.keyboard.press("ArrowUp")
    expect_counts(page, moves=9, slides=7)
    for _ in range(4):
        page.keyboard.press("Control+z")
    expect_counts(page, moves=5, slides=3)
    page.get_by_role("button", name="Redo").click()
    expect_counts(page, moves=6, slides=4)
    expect(part(page, "announcement")).to_contain_text("moved left. Total moves: 6.")
    page.get_by_role("button", name="Restart").click()
    expect_counts(page, moves=0, slides=0)
    assert read_tiles(page) == BOARD
    expect(part(page, "time")).to_have_text("0:00.0")


def test_tiles_follow_the_finger(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, device="phone")
    tap = page.touchscreen.tap
    tap(*locate_cell(page, 5))  # in neither the row nor the column of the blank
    expect_counts(page, moves=0, slides=0)
    finger = Finger(page)
    side = locate_cell(page, 1)[0] - locate_cell(page, 0)[0]
    pulled_tiles = page.locator(".tile-dragged")
    initial_x = page.locator('[data-tile="13"]').bounding_box()["x"]
    finger.down(*locate_cell(page, 12))
    finger.move(side * 0.3, 2)
    expect(pulled_tiles).to_have_count(3)
    expect(pulled_tiles.last).to_have_attribute("style", re.compile(r"translate"))
    page.wait_for_function("() => document.querySelector('.tile-dragged').style.transform !== ''")
    assert page.locator('[data-tile="13"]').bounding_box()["x"] - initial_x == pytest.approx(
        side * 0.3, abs=1.5
    )
    finger.move(side * 5, 0)  # the tiles stop at the next cell
    finger.up()
    assert read_tiles(page) == apply(Board(BOARD), from_letters("RRR")).cells.tolist()
    expect_counts(page, moves=3, slides=1)
    # A drag that the system cancels changes nothing.
    finger.down(*locate_cell(page, 14))
    finger.move(-side * 0.8, 0)
    finger.cancel()
    expect_counts(page, moves=3, slides=1)
    # A swipe over tiles that cannot move moves the tile next to the blank.
    finger.down(*locate_cell(page, 6))
    finger.move(0, side * 0.6)
    finger.up()
    assert read_tiles(page) == apply(Board(BOARD), from_letters("RRRD")).cells.tolist()
    expect_counts(page, moves=4, slides=2)
    assert page.evaluate("scrollY") == 0
    expect(part(page, "time")).not_to_have_text("0:00.0")


def test_game_continues_after_a_reload(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Control+z")
    tiles = read_tiles(page)
    page.reload()
    expect_counts(page, moves=1, slides=1)
    assert read_tiles(page) == tiles
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    page.goto("/play")  # without a board, the last game continues
    expect_counts(page, moves=1, slides=1)
    page.goto("/play?board=1+2+3+4+5+6+0+7+8")
    expect_counts(page, moves=0, slides=0)
    assert read_tiles(page) == [1, 2, 3, 4, 5, 6, 0, 7, 8]


def test_broken_stored_data_does_not_prevent_a_game(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web)
    for text in ("{", '{"start": [1, 0], "way": 3}', '{"games": 1}'):
        page.evaluate(
            """(text) => ["game", "games", "options"].forEach(
                (name) => localStorage.setItem(`tilework.play.${name}`, text))""",
            text,
        )
        script = "window.addEventListener('pagehide', (e) => e.stopImmediatePropagation(), true)"
        page.evaluate(script)  # keeps the page from storing its game when it is left
        page.goto("/play")
        expect(page.locator(".tile")).not_to_have_count(0)
        page.get_by_role("button", name="Scramble").click()
        expect(part(page, "scrambled")).to_contain_text("moves")


def test_solved_game_is_recorded(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, board="1 2 3 4 5 6 0 7 8")
    expect(part(page, "no-records")).to_be_visible()
    page.keyboard.press("Shift+ArrowLeft")
    row = part(page, "records").get_by_role("row")
    expect(row).to_have_count(1)
    expect(row.get_by_role("cell")).to_have_text([re.compile(r"^0:0"), "2", "1", "1"])
    page.keyboard.press("ArrowRight")  # has no effect after the end
    expect_counts(page, moves=2, slides=1)
    games = json.loads(download(page, page.get_by_role("button", name="Export all games")).content)
    games = games["games"]
    assert [(game["board"], game["goal"], game["letters"]) for game in games] == [
        ("1 2 3 4 5 6 0 7 8", "blank-last", "LL")
    ]
    page.reload()
    expect(row).to_have_count(1)
