"""The pages as a browser gets them: bytes over the wire, first paint, how much they jump.

A whole system is started for it. Each page is opened some times by a new visitor, whose browser
keeps nothing; medians are told.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.report import Figure, record
from tools.benchmarks.system import running_system

SWITCHES: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
DEVICES: Final[dict[str, dict[str, Any]]] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    },
}
PAGES: Final = ("/", "/play", "/compare", "/lab", "/analyse", "/jobs", "/statistics", "/openapi")
SETTLE_MS: Final = 1500

# Shifts within half a second of an input do not count: nothing is put in here.
WATCH: Final = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  const unasked = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
  for (const { value } of unasked) globalThis.shifted += value;
}).observe({ type: "layout-shift", buffered: true });
"""
PAINT: Final = """
() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity
"""


@dataclass(frozen=True)
class Visit:
    """What one visitor met."""

    kilobytes: float
    paint_ms: float
    shift: float


def main() -> None:
    """Measure and record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with running_system(workers=1) as server, sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=SWITCHES)
        jobs = {name: _solved(server, side) for name, side in (("4×4", 4), ("100×100", 100))}
        addresses = {path: path for path in PAGES if _exists(server, path)}
        addresses |= {f"a job of {name}": path for name, path in jobs.items()}
        # What a page first asks of the server is compiled and loaded by then.
        for path in addresses.values():
            _visit(browser, server, path, "desktop")
        seen = {
            name: {
                device: [_visit(browser, server, path, device) for _ in range(rounds)]
                for device in DEVICES
            }
            for name, path in addresses.items()
        }
        browser.close()
    record("pages", [figure for name in seen for figure in _figures(name, seen[name])])


def _figures(name: str, seen: dict[str, list[Visit]]) -> list[Figure]:
    def median(device: str, what: Callable[[Visit], float]) -> float:
        return statistics.median(map(what, seen[device]))

    heaviest = {"/": 60.0, "a job of 4×4": 80.0, "a job of 100×100": 250.0}.get(name)
    return [
        Figure(f"{name}: over the wire, cold", median("desktop", _weight), "KB", heaviest),
        Figure(f"{name}: first contentful paint", median("desktop", _paint), "ms", 250),
        Figure(f"{name}: layout shift, phone", median("phone", _shift), "", 0.05),
    ]


def _weight(visit: Visit) -> float:
    return visit.kilobytes


def _paint(visit: Visit) -> float:
    return visit.paint_ms


def _shift(visit: Visit) -> float:
    return visit.shift


def _visit(browser: Browser, server: str, path: str, device: str) -> Visit:
    context = browser.new_context(**DEVICES[device], locale="en-US")
    context.add_init_script(WATCH)
    page = context.new_page()
    session = context.new_cdp_session(page)
    received = 0.0

    def count(event: dict[str, float]) -> None:
        nonlocal received
        received += event["encodedDataLength"]

    session.on("Network.loadingFinished", count)
    session.send("Network.enable")
    page.goto(f"http://{server}{path}", wait_until="load")
    page.wait_for_timeout(SETTLE_MS)
    visit = Visit(received / 1000, page.evaluate(PAINT), page.evaluate("() => shifted"))
    context.close()
    return visit


def _solved(server: str, side: int) -> str:
    """Have a board solved, well or not, and return its page's path."""
    size = Size(side, side)
    board = scramble(size, blank_last(size), seed=7).cells.tolist()
    job = _ask(server, "/api/v1/jobs?brief=true", {"board": board, "target": "any"})
    while job["state"] in ("queued", "running"):
        time.sleep(0.2)
        job = _ask(server, f"/api/v1/jobs/{job['id']}?brief=true&wait=10")
    return f"/jobs/{job['id']}"


def _ask(server: str, path: str, body: object = None) -> dict[str, Any]:
    request = urllib.request.Request(
        f"http://{server}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        told: dict[str, Any] = json.load(answer)
        return told


def _exists(server: str, path: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{server}{path}", timeout=60):
            return True
    except urllib.error.HTTPError:
        return False


if __name__ == "__main__":
    main()
