import pytest
from playwright.sync_api import Error, expect

from tests.system.browser import OpenPage
from tests.system.pages.player import play


def test_online_page_ignores_the_cache(open_page: OpenPage, web: str) -> None:
    page = play(open_page, web, service_workers="allow", expected="ERR_INTERNET_DISCONNECTED")
    # Wait until its service worker has cached all files of the game and serves the page.
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    # This must be a function: the page's policy forbids evaluating an expression repeatedly.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
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
    # The board in the URL is played, although the cached page was loaded without one.
    page.goto("/play?board=3x2:+1+2+3+0+4+5")
    expect(page.locator(".tile")).to_have_count(5)
    for path in ("/", "/jobs", "/statistics", "/play/offline.js"):
        with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
            page.goto(path)
    page.context.set_offline(False)
    page.goto("/")
    assert page.evaluate("navigator.serviceWorker.controller") is None
