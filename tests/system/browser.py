"""The real system and a real browser.

A test fails if its page logs an error, throws, or violates the content policy.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support import shared_servers
from tests.support.app_server import serve_pages

TIMEOUT_MS = 120_000

DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "phone": {
        "viewport": {"width": 375, "height": 812},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    },
}

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def site() -> str:
    """The URL of a complete system, which all tests of the run share."""
    return shared_servers.server_url("site")


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the pages and the API, without workers."""
    with serve_pages(tmp_path_factory.mktemp("web")) as (url, _):
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, which all tests of the run share."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect(shared_servers.server_url("chromium"))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Open a path as a new visitor; ``expected`` is a pattern of expected errors.

    The shared site is used if no other ``base_url`` is given.
    """
    expect.set_options(timeout=TIMEOUT_MS)
    errors: list[str] = []
    contexts = []

    def open_page(
        path: str = "/", device: str = "desktop", expected: str = r"(?!)", **options: Any
    ) -> Page:
        base_url = options.pop("base_url", None) or request.getfixturevalue("site")
        options = {"locale": "en-US", "base_url": base_url} | DEVICES[device] | options
        context = browser.new_context(**options)
        context.set_default_timeout(TIMEOUT_MS)
        contexts.append(context)
        page = context.new_page()

        def log(kind: str, text: str) -> None:
            if not re.search(expected, text):
                errors.append(f"{kind}: {text}")

        page.on(
            "console",
            lambda message: message.type in ("error", "warning") and log("console", message.text),
        )
        page.on("pageerror", lambda error: log("error", str(error)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        # A handler that is still fetching would fail in whatever test comes next.
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()
    assert not errors, errors
