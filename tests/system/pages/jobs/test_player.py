import re
from base64 import b64encode

import numpy as np
from playwright.sync_api import expect

from tests.system.browser import OpenPage
from tests.system.pages.scripts import resolve_scripts
from tests.system.pages.visitor import JobSolution, part, read_tiles, submit_board, wait_for_player
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.packing import pack_two_bits
from tilework.core.puzzle.replay import apply

START = "8 6 7 2 5 4 3 0 1"
LENGTH = 31


def test_buttons_keys_and_slider_reach_every_position(open_page: OpenPage) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    submit_board(page, START)
    wait_for_player(page)
    solution, position = JobSolution.read(page), part(page, "position")
    assert len(solution.letters) == LENGTH
    part(page, "last").click()
    part(page, "back").click()
    assert read_tiles(page) == solution.tiles_after(30)
    part(page, "first").click()
    assert read_tiles(page) == solution.tiles_after(0)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(position).to_have_text("Move 30 of 31")
    page.keyboard.press("Home")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(position).to_have_text("Move 1 of 31")
    expect(page.locator(".board")).to_have_attribute(
        "aria-label", re.compile(r"^3×3 board, row by row: 8 6 7; 2 5 4; (blank 3|3 1 blank)|8 6 7")
    )
    page.keyboard.press(" ")
    expect(part(page, "play")).to_contain_text("Pause")
    page.keyboard.press(" ")
    expect(part(page, "play")).to_contain_text("Play")
    part(page, "speed").select_option("16")
    part(page, "play").click()
    expect(part(page, "announcement")).to_contain_text("Move 31 of 31")
    expect(part(page, "play")).to_contain_text("Play")
    assert read_tiles(page) == blank_last(Size(3, 3)).cells.tolist()

    part(page, "format").select_option("udlr")
    part(page, "copy").click()
    expect(part(page, "copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").strip() == solution.letters


def test_list_of_moves_follows_the_player_and_leads_it(open_page: OpenPage) -> None:
    page = open_page()
    submit_board(page, START)
    wait_for_player(page)
    solution, moves = JobSolution.read(page), part(page, "moves").locator("a")
    marked = part(page, "moves").locator("[aria-current=step]")
    expect(moves).to_have_count(LENGTH)
    texts = moves.all_text_contents()
    arrows = dict(zip("↑↓←→", "UDLR", strict=True))
    assert "".join(arrows[text.split()[1]] for text in texts) == solution.letters
    for move, text in enumerate(texts):
        before, after = solution.tiles_after(move), solution.tiles_after(move + 1)
        assert after.index(0) == before.index(int(text.split()[0]))
    length = page.evaluate("history.length")
    moves.nth(11).click()
    expect(part(page, "position")).to_have_text("Move 12 of 31")
    assert read_tiles(page) == solution.tiles_after(12)
    assert page.evaluate("history.length") == length
    for key, move in (("ArrowRight", 13), ("ArrowLeft", 12), ("End", 31), ("Home", 0)):
        page.keyboard.press(key)
        expect(part(page, "position")).to_have_text(f"Move {move} of 31")
        expect(marked).to_have_count(min(move, 1))
        expect(moves.nth(max(move - 1, 0))).to_be_focused()
    page.keyboard.press("Enter")
    expect(part(page, "position")).to_have_text("Move 1 of 31")
    part(page, "speed").select_option("16")
    part(page, "play").click()
    expect(moves.last).to_have_attribute("aria-current", "step")
    expect(marked).to_have_count(1)


def test_tabs_are_selected_by_keys(open_page: OpenPage) -> None:
    page = open_page()
    submit_board(page, START)
    wait_for_player(page)
    page.get_by_role("tab", name="Export").focus()
    names = {"ArrowRight": "Share", "End": "Certificate", "Home": "Export"}
    for key, name in [*names.items(), ("ArrowLeft", "Certificate"), ("ArrowRight", "Export")]:
        page.keyboard.press(key)
        expect(page.get_by_role("tab", name=name, selected=True)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
        expect(page.get_by_role("tabpanel")).to_have_count(1)
    expect(part(page, "position")).to_have_text("Move 0 of 31")
    page.keyboard.press("Tab")
    expect(part(page, "format")).to_be_focused()


def test_player_agrees_with_the_replay_of_a_long_solution(open_page: OpenPage, web: str) -> None:
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
    all_moves = np.array(moves, dtype=np.uint8)
    positions = [0, 1, len(moves), (1 << 18) - 1, 1 << 18, (1 << 18) + 1]
    positions += random.integers(len(moves), size=10).tolist()
    page = open_page("/statistics", base_url=web)
    boards = page.evaluate(
        resolve_scripts("""async ([start, width, length, packed, positions]) => {
          const { Playback } = await import("SCRIPTS/board/playback.js");
          const { Moves, CHUNK_MOVES } = await import("SCRIPTS/board/moves.js");
          const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
          const chunks = [];
          for (let first = 0; first < bytes.length; first += CHUNK_MOVES / 4) {
            chunks.push(bytes.slice(first, first + CHUNK_MOVES / 4));
          }
          const playback = new Playback(start, width, new Moves("", "", length, chunks));
          await playback.load(() => {}, new AbortController().signal);
          return positions.map((move) => { playback.seek(move); return [...playback.cells]; });
        }"""),
        [
            goal.cells.tolist(),
            size.width,
            len(moves),
            b64encode(pack_two_bits(all_moves)).decode(),
            positions,
        ],
    )
    for position, cells in zip(positions, boards, strict=True):
        assert cells == apply(goal, all_moves[:position]).cells.tolist()
