"""The page on which people play: the boards it takes, and the ways that lead to it."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3


def played(page: str) -> tuple[str, str, str]:
    """Board, width and goal that the page begins with."""
    found = re.search(r'id="play" data-board="(.*?)" data-width="(.*?)" data-goal="(.*?)"', page)
    assert found is not None
    return found[1], found[2], found[3]


def way_to_play(page: str) -> dict[str, list[str]]:
    found = re.search(r'(?:href|data-play)="(/play\?[^"]*)"', page)
    assert found is not None
    return parse_qs(urlsplit(unescape(found[1])).query)


@pytest.mark.parametrize(
    ("board", "goal", "expected"),
    [
        (EASY_3X3, None, (EASY_3X3, "3", "blank-last")),
        ("[[1,2,3],[4,0,5]]", "blank-first", ("1 2 3 4 0 5", "3", "0 1 2 3 4 5")),
        ("2x3: 1 2 3 4 0 5", "2x3: 1 2 3 4 5 0", ("1 2 3 4 0 5", "2", "blank-last")),
    ],
)
def test_the_board_of_the_address_is_played(
    client: FlaskClient, board: str, goal: str | None, expected: tuple[str, str, str]
) -> None:
    query = {"board": board} | ({"goal": goal} if goal else {})
    answer = client.get("/play", query_string=query)
    assert answer.status_code == 200
    assert played(answer.text) == expected


def test_without_a_board_the_browser_decides(client: FlaskClient) -> None:
    assert played(client.get("/play").text) == ("", "0", "")


@pytest.mark.parametrize(
    ("query", "words", "in_portuguese"),
    [
        ({"board": "1 2 q"}, "'q' is not a tile", "'q' não é uma peça"),
        ({"board": EASY_3X3, "goal": "knot"}, "The goal: unknown goal 'knot'", "O objetivo: "),
        (
            {"board": "21x1: " + " ".join(map(str, range(21)))},
            "A board of 21×1 is too large to be played; give one of up to 20 × 20.",
            "Um tabuleiro de 21×1 é grande demais para jogar",
        ),
    ],
)
def test_what_cannot_be_played_is_told(
    client: FlaskClient, query: dict[str, str], words: str, in_portuguese: str
) -> None:
    answer = client.get("/play", query_string=query)
    assert answer.status_code == 422
    assert words in unescape(answer.text)
    assert played(answer.text) == ("", "0", "")
    assert in_portuguese in unescape(client.get("/play", query_string=query | {"lang": "pt"}).text)


def test_a_board_without_a_solution_is_played_with_a_warning(client: FlaskClient) -> None:
    answer = client.get("/play", query_string={"board": UNSOLVABLE_3X3})
    assert answer.status_code == 200
    assert "so the goal cannot be reached" in unescape(answer.text)
    assert played(answer.text)[0] == UNSOLVABLE_3X3


def test_the_checked_board_leads_to_it(client: FlaskClient) -> None:
    checked = client.post("/board/check", data={"board": "3x2:\n1 2 3\n5 0 4", "goal": "spiral"})
    assert way_to_play(checked.text) == {"board": ["3x2: 1 2 3 5 0 4"], "goal": ["spiral"]}
    large = " ".join(map(str, range(441)))
    assert "/play" not in client.post("/board/check", data={"board": large}).text


def test_each_job_leads_to_its_board(client: FlaskClient) -> None:
    own = "1 2 3 4 5 6 0 8 7"
    job = client.post(
        "/jobs", data={"board": "1 2 3 4 5 6 8 0 7", "goal": "own", "goal_board": own}
    )
    page = client.get(job.location).text
    assert way_to_play(page) == {"board": ["1 2 3 4 5 6 8 0 7"], "goal": [own]}
