from __future__ import annotations

import json

import pytest

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.solver.ways.find import find_ways

MANY = "8 6 7 2 5 4 3 0 1"
WIDE = "4 11 13 2 12 9 3 15 0 5 7 14 1 10 8 6"
"""147 solutions of 58 moves, which pass 2,172 boards."""


@pytest.fixture(scope="module")
def found():
    return find_ways(Board([8, 6, 7, 2, 5, 4, 3, 0, 1]), blank_last(Size(3, 3))).ways


def asked(client, analysis_work, **fields):
    made = client.post("/api/v1/ways", json=fields)
    assert made.status_code == 202
    analysis_work()
    return client.get(made.json["links"]["self"]).json


def test_all_shortest_solutions_are_found(client, analysis_work, found):
    made = client.post("/api/v1/ways", json={"board": MANY})
    assert made.status_code == 202
    assert made.headers["Retry-After"] == "1"
    view = made.json
    assert made.headers["Location"] == view["links"]["self"] == f"/api/v1/ways/{view['id']}"
    assert (view["state"], view["result"]) == ("queued", None)
    for part in ("solutions", "graph"):
        early = client.get(view["links"][part])
        assert (early.status_code, early.json["type"]) == (409, "urn:tilework:problem:not-ended")
    analysis_work()
    seen = client.get(view["links"]["self"])
    result = seen.json["result"]
    assert (result["length"], result["count"], result["listed"]) == (31, 40, 40)
    assert (result["boards"], result["moves"]) == (found.boards, found.moves)
    assert result["fewest_turns"]["moves"] == to_letters(found.fewest_slides())
    assert result["fewest_slides"]["optimal"] is True
    tag = {"If-None-Match": seen.headers["ETag"]}
    assert client.get(view["links"]["self"], headers=tag).status_code == 304
    again = client.post("/api/v1/ways", json={"board": MANY})
    assert (again.status_code, again.json["id"]) == (200, view["id"])


def test_solutions_are_listed_in_their_order(client, analysis_work, found):
    address = asked(client, analysis_work, board=MANY)["links"]["solutions"]
    listed = client.get(address)
    assert listed.content_type == "text/plain; charset=utf-8"
    lines = listed.text.splitlines()
    assert lines == [to_letters(one) for one in found.solutions()]
    assert client.get(f"{address}?first=3&count=2").text.splitlines() == lines[3:5]
    objects = client.get(f"{address}?format=jsonl&first=38")
    assert objects.content_type == "application/jsonl"
    told = [json.loads(line) for line in objects.text.splitlines()]
    assert [(one["number"], one["moves"]) for one in told] == list(enumerate(lines))[38:]
    assert client.get(f"{address}?first=1001").status_code == 422


def test_the_graph_as_json_and_for_graphviz(client, analysis_work, found):
    address = asked(client, analysis_work, board=MANY)["links"]["graph"]
    graph = client.get(address).json
    assert (len(graph["boards"]), len(graph["moves"])) == (found.boards, found.moves)
    assert graph["boards"][0] == {"rows": [[8, 6, 7], [2, 5, 4], [3, 0, 1]], "depth": 0, "ways": 40}
    drawn = client.get(address, headers={"Accept": "text/vnd.graphviz"})
    assert drawn.content_type.startswith("text/vnd.graphviz")
    assert drawn.text.startswith("digraph ways {")
    assert drawn.text.count("->") == found.moves
    assert drawn.headers["Vary"] == "Accept"
    assert client.get(f"{address}?format=dot").data == drawn.data
    asked_for = {"Accept": "text/vnd.graphviz"}
    assert client.get(f"{address}?format=json", headers=asked_for).json == graph


def test_a_graph_that_is_too_large_is_not_drawn(client, analysis_work):
    view = asked(client, analysis_work, board=WIDE)
    assert (view["result"]["count"], view["result"]["drawn"]) == (147, False)
    refused = client.get(view["links"]["graph"])
    assert refused.status_code == 404
    assert "pass 2172 boards; up to 2000 are drawn" in refused.json["detail"]
    assert len(client.get(view["links"]["solutions"]).text.splitlines()) == 147


def test_limits_that_come_first_are_told(client, analysis_work):
    view = asked(client, analysis_work, board=WIDE, memory_limit_mb=1, time_limit_s=59)
    assert (view["memory_limit_mb"], view["time_limit_s"]) == (1, 59.0)
    result = view["result"]
    assert (result["length"], result["count"], result["stopped_by"]) == (58, None, "memory")
    assert client.get(view["links"]["solutions"]).status_code == 404
    assert client.get(view["links"]["graph"]).status_code == 404


@pytest.mark.parametrize(
    ("changed", "kind", "words"),
    [
        ({"board": " ".join(map(str, [*range(1, 20), 0])), "width": 5}, "option", "20"),
        ({"board": UNSOLVABLE_3X3}, "unsolvable", "cannot reach"),
        ({"board": "1 2"}, "board", ""),
        ({"goal": "1 0"}, "board", ""),
        ({"time_limit_s": 1000}, "option", "at most 60 s"),
        ({"memory_limit_mb": 100_000}, "option", "at most 512 MiB"),
        ({"memory_limit_mb": 0}, "fields", ""),
        ({"moves": "L"}, "fields", ""),
    ],
)
def test_what_is_not_searched_is_a_problem(client, changed, kind, words):
    refused = client.post("/api/v1/ways", json={"board": EASY_3X3} | changed)
    assert refused.status_code == 422
    assert refused.json["type"].startswith(f"urn:tilework:problem:{kind}")
    assert words in refused.json["detail"]


def test_a_client_cancels_its_own_search(app, client):
    address = client.post("/api/v1/ways", json={"board": EASY_3X3}).json["links"]["self"]
    stranger = app.test_client()
    assert stranger.get(address).status_code == 200
    assert stranger.delete(address).status_code == 403
    assert client.delete(address).json["state"] == "cancelled"
    assert client.get(f"{address}/solutions").status_code == 404
    assert client.post("/api/v1/ways", json={"board": EASY_3X3}).json["state"] == "queued"


def test_a_game_is_no_search_for_ways(client):
    made = client.post("/api/v1/analyses", json={"board": EASY_3X3, "moves": "LL"}).json
    assert client.get(f"/api/v1/ways/{made['id']}").status_code == 404
    assert client.get(f"/api/v1/ways/{made['id']}/graph").status_code == 404
    assert client.delete(f"/api/v1/ways/{made['id']}").status_code == 404
