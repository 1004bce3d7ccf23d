"""Playing a solution of millions of moves, in chunks, while better solutions arrive."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.app_server import serve_pages
from tests.support.long_solutions import long_solution, store_solution, submit_board
from tests.system.browser import OpenPage
from tests.system.pages.visitor import part
from tilework.core.assembly import Services
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply

SIDE = 100
CHUNK = 1 << 18
COUNT = 9 * CHUNK

# The status of requests for chunks of a solution that has been replaced.
REPLACED = "409"


@dataclass
class LongSite:
    url: str
    services: Services
    job: str
    board: Board
    moves: Moves
    shorter_moves: Moves

    def count_tiles_in_place(self, move: int) -> int:
        cells = apply(self.board, self.moves[:move]).cells
        return int(np.sum((cells == blank_last(self.board.size).cells) & (cells != 0)))


@pytest.fixture(scope="module")
def solution() -> tuple[Board, Moves]:
    return long_solution(SIDE, COUNT)


@pytest.fixture
def site(tmp_path: Path, solution: tuple[Board, Moves]) -> Iterator[LongSite]:
    board, shorter_moves = solution
    # The same solution, followed by moves of the last tile back and forth.
    moves = np.append(shorter_moves, np.tile(np.array([1, 0], dtype=np.uint8), 1_000))
    with serve_pages(tmp_path) as (url, services):
        store_solution(services, board, moves)
        job = submit_board(services, board)
        yield LongSite(url, services, job, board, moves, shorter_moves)


@pytest.fixture
def open_page(site: LongSite, open_page: OpenPage) -> OpenPage:
    """Opens pages that are closed before their server stops."""
    return open_page


def visit(open_page: OpenPage, site: LongSite, expected: str = r"(?!)") -> Page:
    page = open_page(f"/jobs/{site.job}", base_url=site.url, expected=expected)
    expect(part(page, "controls")).to_be_visible()
    return page


def seek(page: Page, site: LongSite, move: int) -> None:
    """Move the slider, and check the board after that number of moves."""
    page.locator("#scrub").fill(str(move))
    expect(part(page, "position")).to_have_text(f"Move {move:,} of {len(site.moves):,}")
    expect_tiles_in_place(page, site.count_tiles_in_place(move))


def expect_tiles_in_place(page: Page, tiles: int) -> None:
    """Check the number of tiles in place, which identifies the position."""
    label = f"100×100 board: {tiles} of 9999 tiles in place"
    expect(page.locator(".board")).to_have_attribute("aria-label", label)


def count_loaded_chunks(page: Page) -> int:
    return page.evaluate(
        """() => performance.getEntriesByType("resource")
          .filter(({ name, responseEnd }) => responseEnd && name.includes("/solution/moves"))
          .length"""
    )


def load_all(page: Page, site: LongSite) -> None:
    part(page, "forward").click()
    while count_loaded_chunks(page) < -(-len(site.moves) // CHUNK):
        page.wait_for_timeout(50)


def test_any_position_is_shown_immediately(open_page: OpenPage, site: LongSite) -> None:
    page = visit(open_page, site)
    length = len(site.moves)
    expect(part(page, "sample")).not_to_be_empty()
    assert count_loaded_chunks(page) == 1  # playback needs no more
    load_all(page, site)
    expect(part(page, "loading")).to_be_hidden()
    for move in (length // 2, length - 1, CHUNK + 1, length // 3):
        seek(page, site, move)
        marked = part(page, "moves").locator("[aria-current=step]")
        expect(marked).to_have_attribute("href", f"#move={move}")


def test_position_is_shown_before_its_moves_are_loaded(open_page: OpenPage, site: LongSite) -> None:
    page = open_page("/statistics", base_url=site.url, expected="ERR_FAILED")
    routes: list[Route] = []

    def hold_chunks(route: Route) -> None:
        """Pass on only the requests for the first chunk and the required one."""
        match = re.search(r"first=(\d+)", route.request.url)
        if match is None or int(match[1]) == 7 * CHUNK:
            route.continue_()
        else:
            routes.append(route)

    page.route(re.compile("/solution/moves"), hold_chunks)
    page.goto(f"/jobs/{site.job}")
    expect(part(page, "controls")).to_be_visible()
    seek(page, site, 7 * CHUNK + 999)
    assert routes
    for route in routes:
        route.abort()
    page.unroute_all(behavior="ignoreErrors")


def test_better_solution_keeps_the_position(open_page: OpenPage, site: LongSite) -> None:
    page = visit(open_page, site, REPLACED)
    middle = len(site.moves) // 2
    load_all(page, site)  # otherwise loading a chunk would reveal the better solution
    seek(page, site, middle)
    store_solution(site.services, site.board, site.shorter_moves)
    length = len(site.shorter_moves)
    expect(part(page, "shorter-text")).to_have_text(f"Found a shorter solution: {length:,} moves.")
    part(page, "shorter-show").click()
    expect(part(page, "position")).to_have_text(f"Move {length // 2:,} of {length:,}")
    expect(part(page, "shorter")).to_be_hidden()
    expect(part(page, "board")).to_be_focused()
    site.moves = site.shorter_moves
    expect_tiles_in_place(page, site.count_tiles_in_place(length // 2))


def test_deleted_solution_is_replaced_when_its_moves_cannot_be_loaded(
    open_page: OpenPage, site: LongSite
) -> None:
    page = open_page("/statistics", base_url=site.url, expected=REPLACED)
    delayed: list[Route] = []

    def hold_chunks(route: Route) -> None:
        if "first=" in route.request.url and not delayed:
            delayed.append(route)
        else:
            route.continue_()

    page.route(re.compile("/solution/moves"), hold_chunks)
    # Only the missing moves reveal the better solution.
    page.route(re.compile("wait=|/events"), lambda route: None)
    page.goto(f"/jobs/{site.job}")
    expect(part(page, "controls")).to_be_visible()
    seek(page, site, 1000)
    store_solution(site.services, site.board, site.shorter_moves)
    while not delayed:
        page.wait_for_timeout(50)
    delayed[0].continue_()
    expect(part(page, "shorter-text")).to_contain_text("from the same point")
    expect(part(page, "position")).to_contain_text(f"of {len(site.shorter_moves):,}")
    page.unroute_all(behavior="ignoreErrors")
