"""Hints: the next move of a shortest solution."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, SOLVED_3X3, UNSOLVABLE_3X3, DoWork, MakeApp
from tests.support import naive

HINTS = "/api/v1/hints"
BOARD = "8 1 3 / 4 0 2 / 7 6 5"


def test_a_hint_is_a_tile_and_the_way_it_goes(client: FlaskClient, work: DoWork) -> None:
    asked = client.post(f"{HINTS}?wait=0", json={"board": EASY_3X3})
    assert (asked.status_code, asked.headers["Retry-After"]) == (202, "1")
    assert asked.json["moves"] is asked.json["tile"] is asked.json["upper_bound"] is None
    assert asked.headers["Location"] == f"/api/v1/jobs/{asked.json['job_id']}"
    assert client.get(asked.headers["Location"]).json["time_limit_s"] == 20
    other = {"board": [0, 1, 2, 3, 4, 5], "width": 3, "goal": [1, 0, 2, 3, 4, 5]}
    client.post(f"{HINTS}?wait=0", json=other)
    work()
    answer = client.post(HINTS, json={"board": EASY_3X3})
    assert answer.status_code == 200
    assert answer.json == {
        "solved": False,
        "tile": 7,
        "direction": "left",
        "lower_bound": 2,
        "upper_bound": 2,
        "optimal": True,
        "moves": "LL",
        "job_id": None,
    }
    hint = client.post(HINTS, json=other).json
    assert (hint["tile"], hint["direction"], hint["moves"]) == (1, "left", "L")


def test_a_hint_is_waited_for_and_who_plays_as_told_needs_no_other_job(
    client: FlaskClient, work: DoWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilework.web.api.hints.follow", lambda *_, **__: work())
    tiles = (8, 1, 3, 4, 0, 2, 7, 6, 5)
    left = naive.distances(naive.solved(3, 3), 3)[tiles]
    while left:
        hint = client.post(HINTS, json={"board": list(tiles)}).json
        assert (hint["upper_bound"], hint["optimal"], hint["solved"]) == (left, True, False)
        assert len(hint["moves"]) == left
        tiles = naive.moved(tiles, 3, hint["moves"][0])
        left -= 1
    hint = client.post(HINTS, json={"board": list(tiles)}).json
    assert (hint["solved"], hint["tile"], hint["moves"]) == (True, None, "")
    assert client.get("/api/v1/statistics").json["total_jobs"] == 1


def test_what_is_no_board_to_solve_is_refused_as_for_jobs(
    client: FlaskClient, make_app: MakeApp
) -> None:
    for body in (
        {"board": UNSOLVABLE_3X3},
        {"board": "1 2 3 3"},
        {"board": "1 2 x 0"},
        {"board": SOLVED_3X3, "goal": "home"},
        {"board": SOLVED_3X3, "seconds": 1},
    ):
        refused = client.post(HINTS, json=body)
        same = client.post("/api/v1/jobs", json=body)
        assert refused.status_code == same.status_code == 422
        assert refused.json | {"instance": ""} == same.json | {"instance": ""}
    for wait in ("-1", "soon"):
        assert client.post(f"{HINTS}?wait={wait}", json={"board": EASY_3X3}).status_code == 422
    limited = make_app(rate_limit="1/minute").test_client()
    # The first is counted by its address, the others by the cookie that it got.
    answers = [limited.post(HINTS, json={"board": SOLVED_3X3}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
