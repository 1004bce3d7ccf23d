"""Opens the page of steps, and compares it with the API."""

import re
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from tilework.core.lab.methods import Method
from tilework.core.lab.result import TraceWindow
from tilework.core.lab.run import run
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.search.limits import Limits

BOARD = "1 2 3 4 5 0 6 7 8"
STEPS_URL = re.compile(r"/lab/[0-9a-f-]{36}$")
START = Board([1, 2, 3, 4, 5, 0, 6, 7, 8])
FIRST_STEPS = TraceWindow(120, 0, 0)
METHODS = ("A* · Manhattan", "Breadth-first search")


def watch(page: Page, *methods: str, board: str = BOARD, **steps: str) -> None:
    """Submit a board and methods, by default two, to the lab, and wait for the clock."""
    page.goto(f"/lab?{urlencode({'method': methods}, doseq=True)}")
    page.get_by_label("Your board").fill(board)
    if steps:
        page.get_by_text("Steps to record").click()
    for name, value in steps.items():
        page.locator(f'[name="{name}"]').fill(value)
    page.get_by_role("button", name="Watch").click()
    expect(page).to_have_url(STEPS_URL)
    expect(page.locator(".clock")).to_be_visible()


def panel(page: Page, title: str) -> Locator:
    return page.locator(".method", has=page.get_by_role("heading", name=title, exact=True))


def method_part(method: Locator, name: str) -> Locator:
    return method.locator(f'[data-part="{name}"]')


def position_label(page: Page) -> Locator:
    return page.locator('[data-part="position"]')


def read_traces(page: Page) -> list[dict[str, Any]]:
    """Return the traces of the displayed runs from the API, in the order of the page."""
    ids = page.locator(".method").evaluate_all("(all) => all.map(({ dataset }) => dataset.run)")
    return [page.request.get(f"/api/v1/runs/{id_}/trace").json() for id_ in ids]


def make_trace(
    algorithm: str, board: Board = START, window: TraceWindow = FIRST_STEPS
) -> dict[str, Any]:
    limits = Limits(nodes=6_000)
    result = run(board, blank_last(board.size), Method.of(algorithm), limits, window, exhaust=True)
    return result.trace.document()


def read_board(method: Locator) -> list[int]:
    """Return the board at the method's cursor from its accessible name."""
    label = method_part(method, "board").get_attribute("aria-label")
    rows = label.split("row by row: ")[1].replace(";", "").replace("blank", "0")
    return [int(tile) for tile in rows.split()]


def read_scores(method: Locator) -> tuple[float, ...]:
    names = [name for name in "ghf" if method_part(method, name).count()]
    return tuple(float(method_part(method, name).text_content()) for name in names)


def read_frontier(method: Locator) -> list[tuple[int, str, list[str]]]:
    """Return the displayed frontier: each node's number, f, and g + h if there is a heuristic."""
    return [
        (
            int(item.get_attribute("data-node")),
            item.locator(".waiting-f").text_content(),
            item.locator(".waiting-sum").all_text_contents(),
        )
        for item in method.locator(".waiting").all()
    ]


def check_step(page: Page, number: int) -> None:
    """Check that both panels show a step as the API describes it."""
    for title, trace in zip(METHODS, read_traces(page), strict=True):
        step = trace["steps"][number - 1]
        method = panel(page, title)
        expect(method_part(method, "node-description")).to_have_text(f"Expanded in step {number}")
        assert read_board(method) == step["board"]
        has_heuristic = title == METHODS[0]
        scores = (step["g"], step["h"], step["f"]) if has_heuristic else (step["g"],)
        assert read_scores(method) == scores
        assert read_frontier(method) == [
            (
                entry["node"],
                f"{entry['f']:g}",
                [f"{entry['g']} + {entry['h']:g}"] if has_heuristic else [],
            )
            for entry in step["frontier"]
        ]
        expect(method_part(method, "frontier-size")).to_have_text(f"{step['frontier_size']:,}")
        outcomes = [child["outcome"] for child in step["children"]]
        classes = method.locator(".child").evaluate_all(
            "(elements) => elements.map(({ className }) => className.replace('child child-', ''))"
        )
        assert classes == outcomes
