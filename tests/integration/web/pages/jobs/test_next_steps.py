"""What a job's page offers next, and who else asked."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.integration.web.conftest import EASY_3X3, SOLVED_3X3
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

ITS_MIRROR = "1 4 0 2 5 7 3 6 8"
"""`EASY_3X3` with rows and columns exchanged, to the goal that is turned with it."""
MIRRORED_GOAL = "1 4 7 2 5 8 3 6 0"
LINKS = ("/play?", "/?board=", "/lab?board=", "/compare?board=", "/analyse?board=", 'href="/"')


def test_every_way_on_is_a_link(app: Flask) -> None:
    client = app.test_client()
    page = client.get(client.post("/jobs", data={"board": EASY_3X3}).location).text
    assert [link for link in LINKS if link not in page] == []


def test_no_address_holds_a_large_board(app: Flask) -> None:
    size = Size(30, 30)
    board = " ".join(map(str, scramble(size, blank_last(size), 1).cells))
    client = app.test_client()
    page = client.get(client.post("/jobs", data={"board": board}).location).text
    assert [link for link in LINKS if link in page] == ['href="/"']


@pytest.mark.parametrize(
    ("others", "words"),
    [(0, None), (1, "Somebody else asked for this puzzle once."), (2, "puzzle 2 times.")],
)
def test_who_else_asked_is_a_number(app: Flask, others: int, words: str | None) -> None:
    client = app.test_client()
    asked = {"board": ITS_MIRROR, "goal": "own", "goal_board": MIRRORED_GOAL}
    for _ in range(others):
        app.test_client().post("/jobs", data=asked)
    app.test_client().post("/jobs", data={"board": SOLVED_3X3})
    client.post("/jobs", data={"board": EASY_3X3})
    page = client.get(client.post("/jobs", data={"board": EASY_3X3}).location).text
    assert (words is None) == ('data-part="others"' not in page)
    if words is not None:
        assert words in page


def test_no_more_than_some_are_counted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("core.services.jobs.read", "web.pages.jobs.next_steps"):
        monkeypatch.setattr(f"tilework.{name}.MOST_OTHERS", 2)
    for _ in range(3):
        app.test_client().post("/jobs", data={"board": EASY_3X3})
    client = app.test_client()
    page = client.get(client.post("/jobs", data={"board": EASY_3X3}).location).text
    assert "Others asked for this puzzle 2 times and more." in page
