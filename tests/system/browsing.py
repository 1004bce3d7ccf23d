"""The real system and a real browser.

A page that logs an error, throws, or breaks the content policy fails its test.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.servers import free_port
from tests.support.serving import served
from tilework.core.assembly import make_services
from tilework.core.services.ports import NoTickets
from tilework.core.settings import Settings
from tilework.core.solver.solve import warm_up
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app

SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
START_S = 240.0
STOP_S = 60.0
PATIENCE_MS = 30_000

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
def site_databases(tmp_path_factory: pytest.TempPathFactory, pattern_databases: Path) -> Path:
    """The site's folder of pattern databases, in which nothing else is ever built."""
    warm_up(pattern_databases)
    folder = tmp_path_factory.mktemp("site-pdb")
    for file in pattern_databases.glob("*.pdb*"):
        os.link(file, folder / file.name)
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, site_databases: Path) -> Iterator[str]:
    """Address of a whole system of its own: ``tilework up`` on a free port."""
    folder = tmp_path_factory.mktemp("up")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [str(Path(sys.executable).with_name("tilework")), "up"]
    command += ["--port", str(port), "--workers", "1", "--data-dir", str(folder)]
    environment = os.environ | {"TILEWORK_DATABASES_DIR": str(site_databases)}
    log = folder / "up.log"
    with log.open("wb") as file:
        process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
    try:
        _wait_until_ready(process, address, log)
        yield address
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(STOP_S)


def _wait_until_ready(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Wait until a first board has been solved, so that no test waits for compilers."""
    deadline = time.monotonic() + START_S
    job = None
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if job is None:
                sent = httpx2.post(f"{address}/api/v1/jobs", json={"board": "1 2 3 4 5 6 7 0 8"})
                job = sent.json()["links"]["self"] if sent.is_success else None
            elif httpx2.get(f"{address}{job}").json()["state"] == "optimal":
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.2)
    pytest.fail(f"the system did not start:\n{log.read_text()}", pytrace=False)


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the pages and the API alone, with nobody who solves."""
    settings = Settings.model_validate({"data_dir": tmp_path_factory.mktemp("web")})
    upgrade(settings.database)
    services = make_services(settings, NoTickets())
    with served(create_app(settings, services), settings) as address:
        yield address
    services.storage.dispose()  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("Chromium is missing; install it with: apt-get install chromium", pytrace=False)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=SWITCHES)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Open an address as a new visitor; ``expected`` is a pattern of errors that are meant.

    The site is started where no other ``base_url`` is given.
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
            "console", lambda said: said.type in ("error", "warning") and note("console", said.text)
        )
        page.on("pageerror", lambda error: note("error", str(error)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture(params=list(DEVICES))
def device(request: pytest.FixtureRequest) -> str:
    """Desktop and phone: the test runs on both."""
    return str(request.param)
