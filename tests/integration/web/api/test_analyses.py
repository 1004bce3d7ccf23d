from __future__ import annotations

import pytest

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3

GAME = {"board": EASY_3X3, "moves": "LRLL"}


def test_a_game_is_analysed(client, analysis_work):
    made = client.post("/api/v1/analyses", json=GAME | {"times_ms": [0, 300, 300, 900]})
    assert made.status_code == 202
    assert made.headers["Retry-After"] == "1"
    view = made.json
    assert made.headers["Location"] == view["links"]["self"] == f"/api/v1/analyses/{view['id']}"
    assert (view["state"], view["result"]) == ("queued", None)
    analysis_work()
    seen = client.get(view["links"]["self"])
    assert seen.json["state"] == "done"
    assert seen.json["moves"] == "LRLL"
    assert seen.json["times_ms"] == [0, 300, 300, 900]
    result = seen.json["result"]
    assert result["lower"] == result["upper"] == [2, 1, 2, 1, 0]
    assert result["losses"] == [{"move": 2, "remaining": 1, "way": "L"}]
    assert result["loops"] == [{"first": 0, "last": 2}]
    assert (result["is_solution"], result["exact"]) == (True, True)
    tag = {"If-None-Match": seen.headers["ETag"]}
    assert client.get(view["links"]["self"], headers=tag).status_code == 304
    again = client.post("/api/v1/analyses", json=GAME | {"times_ms": [0, 300, 300, 900]})
    assert (again.status_code, again.json["id"]) == (200, view["id"])


@pytest.mark.parametrize(
    ("moves", "more"),
    [
        ("l r l l", {}),
        ("LRL2", {}),
        ("RLRR", {"named_by": "blank"}),
        ("7 7 7 8", {}),
        ("3\n1 2 3\n4 5 6\n7 0 8\n\n3\n1 2 3\n4 5 6\n0 7 8\n\n3\n1 2 3\n4 5 6\n7 0 8\n", {}),
    ],
)
def test_moves_in_other_formats(client, moves, more):
    made = client.post("/api/v1/analyses", json={"board": EASY_3X3, "moves": moves, **more})
    assert made.status_code == 202
    assert "LRLL".startswith(made.json["moves"])


@pytest.mark.parametrize(
    ("changed", "kind", "words"),
    [
        ({"moves": "LRX"}, "input", "move 3 is 'X'"),
        ({"moves": "R"}, "input", "move 1, R, is illegal"),
        ({"moves": "LR" * 5001}, "option", "10002 moves is too long; at most 10000"),
        ({"times_ms": [1]}, "input", "1 times for 4 moves"),
        ({"times_ms": [1, 2, 3, 10**15]}, "input", "the time of move 4"),
        ({"times_ms": [1, 2, 3, 2]}, "input", "times never fall"),
        ({"board": UNSOLVABLE_3X3, "moves": ""}, "unsolvable", "cannot reach"),
        ({"board": "1 2"}, "board", ""),
        ({"time_limit_s": 1000}, "option", "at most 60 s"),
        ({"goal": "1 0"}, "board", ""),
    ],
)
def test_what_cannot_be_analysed_is_a_problem(client, changed, kind, words):
    refused = client.post("/api/v1/analyses", json=GAME | changed)
    assert refused.status_code == 422
    assert refused.json["type"].startswith(f"urn:tilework:problem:{kind}")
    assert words in refused.json["detail"]


def test_fields_that_do_not_fit(client):
    refused = client.post("/api/v1/analyses", json={"board": EASY_3X3, "moves": 5, "seed": 1})
    assert refused.status_code == 422
    assert refused.json["type"] == "urn:tilework:problem:fields"


def test_a_client_cancels_its_own_analysis(app, client):
    address = client.post("/api/v1/analyses", json=GAME).json["links"]["self"]
    stranger = app.test_client()
    assert stranger.get(address).status_code == 200
    assert stranger.delete(address).status_code == 403
    assert client.delete(address).json["state"] == "cancelled"
    assert client.post("/api/v1/analyses", json=GAME).json["state"] == "queued"


def test_there_is_no_such_analysis(client):
    nowhere = "/api/v1/analyses/01890a5d-ac96-774b-bcce-b302099a8057"
    assert client.get(nowhere).status_code == 404
    assert client.delete(nowhere).status_code == 404


def test_too_many_unfinished_analyses(make_app):
    client = make_app(analyses_per_client=1).test_client()
    assert client.post("/api/v1/analyses", json=GAME).status_code == 202
    refused = client.post("/api/v1/analyses", json=GAME | {"moves": "L"})
    assert (refused.status_code, refused.json["type"]) == (429, "urn:tilework:problem:quota")
    assert "Retry-After" in refused.headers
