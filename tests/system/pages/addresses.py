"""The address of a page of every kind, with what each needs made first."""

from __future__ import annotations

from playwright.sync_api import Page, expect

PLAIN = (
    *("/", "/play", "/analyse", "/compare", "/lab", "/jobs", "/statistics"),
    *("/openapi", "/nowhere"),
)
BOARD = "1 2 3 4 5 0 6 7 8"
METHODS = ["a-star:manhattan", "breadth-first"]


def every_address(page: Page) -> list[str]:
    """Ask for a job, a comparison, a sweep, a search step by step and an analysis."""
    made = [
        ("jobs", "/jobs", {"board": BOARD}),
        ("comparisons", "/comparisons", {"board": BOARD, "methods": METHODS}),
        (
            "comparisons",
            "/comparisons",
            {
                "sweep": {"boards": 3, "moves": 8, "seed": 1, "width": 3, "height": 3},
                "methods": METHODS,
            },
        ),
        ("comparisons", "/lab", {"board": BOARD, "methods": METHODS, "trace": {}}),
        ("analyses", "/analyses", {"board": "1 2 3 4 5 6 0 7 8", "moves": "LL"}),
    ]
    return [*PLAIN, *(f"{place}/{_made(page, kind, asked)}" for kind, place, asked in made)]


def _made(page: Page, kind: str, asked: dict[str, object]) -> str:
    sent = page.request.post(f"/api/v1/{kind}", data=asked)
    assert sent.ok, sent.text()
    return str(sent.json()["id"])


def settled(page: Page) -> None:
    """Wait until what a page fetches by itself is there."""
    page.wait_for_load_state("networkidle")
    for shown in (".clock", '[data-part="controls"]', ".runs"):
        if page.locator(shown).count():
            expect(page.locator(shown).first).to_be_visible()
