from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply, replay

JOB_URL = re.compile(r"/jobs/[0-9a-f-]{36}$")


def part(page: Page | Locator, name: str) -> Locator:
    """Return a part of the page."""
    return page.locator(f'[data-part="{name}"]')


class Download(NamedTuple):
    """A downloaded file."""

    name: str
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode()


def download(page: Page, button: Locator) -> Download:
    """Click a link to a file, and return the file."""
    with page.expect_download() as event:
        button.click()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "file")
        event.value.save_as(file)
        return Download(event.value.suggested_filename, file.read_bytes())


def open_options(page: Page) -> None:
    """Open the hidden options of the first page, if they are not open."""
    if page.locator("#options:not([open])").count():
        page.locator("#options > summary").click()


def submit_board(page: Page, board: str, **choices: str) -> None:
    """Type a board on the first page, make choices, and open the job's page."""
    page.goto("/")
    page.get_by_label("Your board").fill(board)
    if choices:
        open_options(page)
    for name, value in choices.items():
        if name == "target":
            page.locator(f'[name="target"][value="{value}"]').check(force=True)
        else:
            page.locator(f'[name="{name}"]').select_option(value)
    page.locator("#solve-it").click()
    expect(page).to_have_url(JOB_URL)


def wait_for_player(page: Page) -> None:
    """Wait until the solution can be played."""
    expect(part(page, "controls")).to_be_visible()
    expect(part(page, "sample")).not_to_be_empty()


class JobSolution(NamedTuple):
    """The board and the solution of the job on a page, from the API."""

    start: Board
    letters: str

    @classmethod
    def read(cls, page: Page) -> JobSolution:
        job = page.locator("#job")
        tiles = [int(tile) for tile in re.findall(r"\d+", job.get_attribute("data-board"))]
        path = job.get_attribute("data-url")
        letters = page.request.get(f"{path}/solution?format=udlr").text().strip()
        solution = cls(Board(tiles, int(job.get_attribute("data-width"))), letters)
        replay(solution.start, from_letters(letters), blank_last(solution.start.size))
        return solution

    def tiles_after(self, move: int) -> list[int]:
        """Return the tiles after a number of moves."""
        return apply(self.start, from_letters(self.letters)[:move]).cells.tolist()


def read_tiles(page: Page) -> list[int]:
    """Return the tiles of the displayed board, cell by cell; 0 is the blank."""
    return page.evaluate(
        """() => {
          const board = document.querySelector(".board:not(#goal-picture)");
          const columns = Number(board.style.getPropertyValue("--columns"));
          const rows = Number(board.style.getPropertyValue("--rows"));
          const cells = new Array(columns * rows).fill(0);
          for (const tile of board.querySelectorAll(".tile")) {
            const at = (name) => Number(tile.style.getPropertyValue(name));
            cells[at("--row") * columns + at("--column")] = Number(tile.dataset.tile);
          }
          return cells;
        }"""
    )


def find_overflow(page: Page) -> list[str]:
    """Return elements that do not fit: parts of the page, buttons, and labels of charts."""
    return page.evaluate(
        """() => {
          const find = (selector, fails) =>
            [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility() && fails(e));
          const edges = (element) => element.getBoundingClientRect();
          const { scrollWidth, clientWidth } = document.documentElement;
          const beyond = (element) => edges(element).right > clientWidth + 1;
          const clipped = (button) => button.scrollWidth > button.clientWidth + 1;
          const outside = (label) => {
            const panel = edges(label.closest(".panel"));
            return edges(label).left < panel.left - 1 || edges(label).right > panel.right + 1;
          };
          return [
            ...(scrollWidth > clientWidth ? find("body *", beyond) : []),
            ...find("button, .button, .choices span", clipped),
            ...find(".panel svg.chart text", outside),
          ].map((element) => element.outerHTML.slice(0, 200));
        }"""
    )
