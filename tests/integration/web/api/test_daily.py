from __future__ import annotations

from datetime import date

import pytest
from flask.testing import FlaskClient

DAILY = "/api/v1/daily"


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilework.web.api.daily._today", lambda: date(2026, 2, 10))


def test_a_day_has_a_board_that_may_be_kept(client: FlaskClient) -> None:
    answer = client.get(f"{DAILY}/2026-01-01/3")
    assert answer.json == {
        "date": "2026-01-01",
        "size": 3,
        "board": [3, 5, 7, 4, 8, 0, 1, 2, 6],
        "goal": "blank-last",
    }
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Set-Cookie" not in answer.headers
    assert "Cookie" not in answer.headers.get("Vary", "")


@pytest.mark.parametrize("size", [3, 4, 5])
def test_it_can_be_submitted_as_it_is(client: FlaskClient, size: int) -> None:
    board = client.get(f"{DAILY}/2026-02-10/{size}").json
    verdict = client.post(
        "/api/v1/boards/check", json={name: board[name] for name in ("board", "goal")}
    ).json
    assert (verdict["width"], verdict["height"], verdict["solvable"]) == (size, size, True)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("2025-12-31/3", "the first day that has one is 2026-01-01"),
        ("2026-02-12/3", "the last day that has one is 2026-02-11"),
        ("2026-02-30/3", "'2026-02-30' is not a date"),
        ("tomorrow/3", "'tomorrow' is not a date"),
        ("2026-02-10/6", "less than or equal to 5, not '6'"),
        ("2026-02-10/2", "greater than or equal to 3, not '2'"),
        ("2026-02-10/big", "not 'big'"),
    ],
)
def test_what_has_no_board_is_told_so(client: FlaskClient, path: str, words: str) -> None:
    answer = client.get(f"{DAILY}/{path}")
    assert answer.status_code == 422
    assert words in answer.json["detail"]
    assert "public" not in answer.headers.get("Cache-Control", "")


def test_tomorrow_is_there_already(client: FlaskClient) -> None:
    assert client.get(f"{DAILY}/2026-02-11/4").status_code == 200
