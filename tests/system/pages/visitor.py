"""What visitors do, in few words."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

JOB_ADDRESS = re.compile(r"/jobs/[0-9a-f-]{36}$")


def part(page: Page, name: str):
    """A part of the job's page."""
    return page.locator(f'[data-part="{name}"]')


def open_options(page: Page) -> None:
    """Open what the first page keeps out of the way; nothing where it lies open."""
    if page.locator("#options:not([open])").count():
        page.locator("#options > summary").click()


def give(page: Page, board: str, **choices: str) -> None:
    """Type a board on the first page, make choices, and go to the job's page."""
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
    expect(page).to_have_url(JOB_ADDRESS)


def wait_for_player(page: Page) -> None:
    """Wait until the solution can be played."""
    expect(part(page, "controls")).to_be_visible()
    expect(part(page, "sample")).not_to_be_empty()


def shown_tiles(page: Page) -> list[int]:
    """The tiles as they lie on the page, cell by cell, 0 for the blank."""
    return page.evaluate(
        """() => {
          const board = document.querySelector(".board");
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


def overflow(page: Page) -> list[str]:
    """Elements that stick out of the page to the right; none where the page fits its window."""
    return page.evaluate(
        """() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          if (scrollWidth <= clientWidth) return [];
          return [...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
            .map((element) => `${element.tagName}.${element.className}`);
        }"""
    )
