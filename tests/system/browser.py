"""The real system and a real browser.

A page that logs an error, throws, or violates the content policy fails its test.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support import shared_servers
from tests.support.app_server import serve_pages

PATIENCE_MS = 120_000

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
    """The address of a whole system, which all tests of the run share."""
    return shared_servers.server_url("site")


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the pages and the API without workers."""
    with serve_pages(tmp_path_factory.mktemp("web")) as (address, _):
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, which all tests of the run share."""
    with sync_playwright() as playwright:
        connected = playwright.chromium.connect(shared_servers.server_url("chromium"))
        yield connected
        connected.close()


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Open an address as a new visitor; ``expected`` is a pattern of expected errors.

    The shared site is used if no other ``base_url`` is given.
    """
    expect.set_options(timeout=PATIENCE_MS)
    faults: list[str] = []
    contexts = []

    def open_page(
        address: str = "/", device: str = "desktop", expected: str = r"(?!)", **options: Any
    ) -> Page:
        base_url = options.pop("base_url", None) or request.getfixturevalue("site")
        given = {"locale": "en-US", "base_url": base_url} | DEVICES[device] | options
        context = browser.new_context(**given)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()

        def note(kind: str, text: str) -> None:
            if not re.search(expected, text):
                faults.append(f"{kind}: {text}")

        page.on(
            "console",
            lambda message: message.type in ("error", "warning") and note("console", message.text),
        )
        page.on("pageerror", lambda error: note("error", str(error)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
