import re

import pytest
from playwright.sync_api import Error, Page, expect

from tests.system.browser import OpenPage
from tests.system.pages.player import BOARD, play
from tests.system.pages.visitor import part, read_tiles


def wait_until_cached(page: Page) -> None:
    """Wait until the page's service worker has cached all files of the game and serves the page."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    # This must be a function: the page's policy forbids evaluating an expression repeatedly.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_game_can_be_played_offline(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, service_workers="allow", expected="ERR_INTERNET_DISCONNECTED")
    wait_until_cached(page)
    page.keyboard.press("ArrowRight")
    page.context.set_offline(True)
    page.reload()
    expect(part(page, "moves")).to_have_text("1")
    part(page, "board").focus()
    page.keyboard.press("ArrowLeft")
    expect(part(page, "moves")).to_have_text("2")
    assert read_tiles(page) == BOARD
    page.get_by_role("button", name="Hint").click()
    expect(part(page, "advice")).to_contain_text("cannot be reached")
    form = part(page, "new-game")
    form.get_by_label("Width").fill("3")
    form.get_by_label("Height").fill("3")
    form.get_by_role("button", name="Scramble").click()
    expect(part(page, "scrambled")).to_have_text(re.compile(r"^Optimal length: \d+ moves\.$"))
    # The board in the URL is played, although the cached page was loaded without one.
    page.goto("/play?board=3x2:+1+2+3+0+4+5")
    expect(page.locator(".tile")).to_have_count(5)
    part(page, "board").focus()
    page.keyboard.press("Shift+ArrowLeft")
    expect(part(page, "end-text")).to_contain_text("2 moves")
    for path in ("/", "/jobs", "/statistics", "/play/offline.js"):
        with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
            page.goto(path)


def test_online_page_ignores_the_cache(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, service_workers="allow")
    wait_until_cached(page)
    scopes = page.evaluate(
        "navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope))"
    )
    assert scopes == [f"{web}/play"]
    page.evaluate(
        """async () => {
          const names = await caches.keys();
          const store = await caches.open(names.find((name) => name.includes("-play-files-")));
          const headers = { "Content-Type": "text/html" };
          await store.put("/play", new Response("stale", { headers }));
        }"""
    )
    page.reload()
    expect(page.locator(".tile")).to_have_count(15)
    # The cached page is in the visitor's language.
    page.get_by_role("button", name="Português").click()
    expect(page.get_by_role("button", name="Desfazer")).to_be_visible()
    page.wait_for_function(
        """async () => {
          const response = await caches.match("/play", { ignoreVary: true });
          return response?.headers.get("Content-Language") === "pt";
        }"""
    )
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("button", name="Desfazer")).to_be_visible()
    page.context.set_offline(False)
    page.goto("/")
    assert page.evaluate("navigator.serviceWorker.controller") is None
