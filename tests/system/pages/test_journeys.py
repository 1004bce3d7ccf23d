"""Four visitors on their ways through the pages, on a desktop and on a phone, in both languages.

What the pages say is looked for by place, so that one journey serves every language; a few words of
each show that it is the visitor's own.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.system.browsing import OpenPage
from tests.system.pages.visitor import JOB_ADDRESS, open_options, overflow, part, wait_for_player
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}}
PATIENCE_MS = 60_000
HARDEST = "8 6 7 2 5 4 3 0 1"


class Words(NamedTuple):
    hint: str
    solve_from_here: str
    shortest: str


WORDS = {
    "en-US": Words("Hint", "Solve from here", "none shorter"),
    "pt-BR": Words("Dica", "Resolver daqui", "o mínimo possível"),
}


@pytest.fixture(params=list(WORDS))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def visit(open_page: OpenPage, device: str, language: str, address: str = "/") -> Page:
    sizes = PHONE if device == "phone" else {}
    page = open_page(address, device=device, locale=language, **sizes)
    expect(page.locator("html")).to_have_attribute("lang", language[:2])
    return page


def test_a_player_scrambles_plays_asks_and_learns(
    open_page: OpenPage, device: str, language: str
) -> None:
    page = visit(open_page, device, language)
    page.locator('.presets [data-size="3"]').click()
    page.locator("#scramble").click()
    expect(page.locator("#verdict [data-tiles]")).to_be_visible()
    page.locator("#play").click()
    expect(page).to_have_url(re.compile("/play"))
    expect(page.locator(".tile").first).to_be_visible()
    words = WORDS[language]
    page.get_by_role("button", name=words.hint, exact=True).click()
    expect(page.locator(".tile-pointed")).to_be_visible(timeout=PATIENCE_MS)
    assert overflow(page) == []
    page.get_by_role("button", name=words.solve_from_here, exact=True).click()
    expect(part(page, "end")).to_be_visible(timeout=PATIENCE_MS)
    part(page, "end-analysis").click()
    expect(page).to_have_url(re.compile("/analyse"))
    expect(page.locator("#moves")).to_have_value(re.compile("[UDLR]"))
    page.locator('form button[type="submit"], form button.button-main').first.click()
    expect(page).to_have_url(re.compile(r"/analyses/[0-9a-f-]{36}$"))
    expect(page.locator(".bounds-words")).not_to_be_empty(timeout=PATIENCE_MS)
    assert overflow(page) == []


def test_a_teacher_solves_a_board_and_shows_how_methods_get_there(
    open_page: OpenPage, device: str, language: str
) -> None:
    page = visit(open_page, device, language)
    page.locator("#board").fill(HARDEST)
    page.locator("#solve-it").click()
    expect(page).to_have_url(JOB_ADDRESS)
    verdict = part(page, "verdict")
    expect(verdict).to_contain_text("31")
    expect(verdict).to_contain_text(WORDS[language].shortest)
    wait_for_player(page)
    board, head = page.locator(".board").first.bounding_box(), verdict.bounding_box()
    assert board is not None
    assert head is not None
    assert head["y"] + head["height"] <= board["y"]
    part(page, "next").locator('a[href^="/lab"]').click()
    expect(page.locator("#board")).to_have_value(re.compile(r"8 6 7\s+2 5 4\s+3 0 1"))
    page.locator('form button.button-wide[type="submit"]').click()
    expect(page).to_have_url(re.compile(r"/lab/[0-9a-f-]{36}"), timeout=PATIENCE_MS)
    page.keyboard.press("End")
    expect(page.locator('[aria-current="step"]').first).to_be_visible(timeout=PATIENCE_MS)
    assert overflow(page) == []
    page.goto("/history")
    expect(page.locator(".entry")).to_have_count(2)


def test_a_researcher_pastes_many_boards_and_takes_a_file(
    open_page: OpenPage, device: str, language: str
) -> None:
    page = visit(open_page, device, language)
    boards = [scramble(Size(3, 3), blank_last(Size(3, 3)), seed) for seed in (1, 2, 3)]
    lines = [" ".join(map(str, board.cells.tolist())) for board in boards]
    page.locator("#board").fill("\n".join([*lines[:2], "1 2 3 4 5 6 7 8 8", lines[2]]))
    page.locator("#solve-it").click()
    expect(page).to_have_url(re.compile(r"/batches/[0-9a-f-]{36}"))
    expect(page.locator(".batch-notice")).to_contain_text("3")
    expect(page.locator(".batch-rows tbody tr")).to_have_count(3)
    expect(page.locator(".badge-optimal").nth(2)).to_be_visible(timeout=PATIENCE_MS)
    assert overflow(page) == []
    with page.expect_download() as taken:
        page.locator('a[href$="format=csv"]').click()
    content = taken.value.path().read_text()
    assert content.count("\n") >= 4
    page.locator(".batch-board").first.click()
    expect(page).to_have_url(JOB_ADDRESS)
    page.goto("/history?kind=batch")
    expect(page.locator(".entry")).to_have_count(1)


def test_somebody_with_a_hundred_by_hundred(
    open_page: OpenPage, device: str, language: str
) -> None:
    seed = 1 + list(WORDS).index(language) + 2 * (device == "phone")
    size = Size(100, 100)
    board = scramble(size, blank_last(size), seed)
    page = visit(open_page, device, language)
    page.locator("#board").fill(" ".join(map(str, board.cells.tolist())))
    open_options(page)
    page.locator('[name="target"][value="any"]').check(force=True)
    page.locator("#solve-it").click()
    expect(page).to_have_url(JOB_ADDRESS)
    expect(part(page, "controls")).to_be_visible(timeout=PATIENCE_MS)
    expect(part(page, "verdict")).to_contain_text(re.compile(r"\d{2,3}[.,]\d{3}"))
    assert overflow(page) == []
    place = part(page, "place").inner_text()
    part(page, "forward").click()
    expect(part(page, "place")).not_to_have_text(place)
    part(page, "last").click()
    expect(page).to_have_url(re.compile(r"#move=\d+$"))
