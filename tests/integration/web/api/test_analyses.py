import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, FARTHEST_3X3, UNSOLVABLE_3X3, DoWork
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.solver.shortest_paths.find import find_shortest_paths
from tilework.core.solver.shortest_paths.graph import ShortestPaths

ANALYSES, WAYS = "/api/v1/analyses", "/api/v1/ways"
GAME = {"board": EASY_3X3, "moves": "LRLL"}
INVALID_GAMES = [
    ({"moves": "LRX"}, "input", "move 3 is 'X'"),
    ({"moves": "LLL"}, "input", "move 3, L, is illegal"),
    ({"moves": "LR" * 5001}, "option", "10002 moves is too long; at most 10000"),
    ({"times_ms": [1, 2, 3, 2]}, "input", "the time of move 4 is 2 ms"),
    ({"board": UNSOLVABLE_3X3, "moves": ""}, "unsolvable", "cannot reach"),
    ({"seed": 1}, "fields", ""),
]
INVALID_SEARCHES = [
    ({"board": " ".join(map(str, [*range(1, 20), 0])), "width": 5}, "option", "20"),
    ({"goal": "1 0"}, "board", ""),
    ({"time_limit_s": 1000}, "fields", "at most 60"),
    ({"memory_limit_mb": 100_000}, "fields", "at most 512"),
]


def test_moves_are_read_in_any_format_and_invalid_requests_rejected(client: FlaskClient) -> None:
    for game in ({"moves": "RLRR", "named_by": "blank"}, {"moves": "7 7 7 8"}):
        assert client.post(ANALYSES, json={"board": EASY_3X3} | game).json["moves"] == "LRLL"
    search = {"board": EASY_3X3}
    for path, base, cases in ((ANALYSES, GAME, INVALID_GAMES), (WAYS, search, INVALID_SEARCHES)):
        for change, kind, expected in cases:
            body = base | change
            response = client.post(path, json=body)
            assert response.status_code == 422, body
            assert response.json["type"].startswith(f"urn:tilework:problem:{kind}")
            assert expected in response.json["detail"]


def test_client_cancels_only_its_own_analyses(app: Flask, client: FlaskClient) -> None:
    for path, body in ((ANALYSES, GAME), (WAYS, {"board": EASY_3X3})):
        url = client.post(path, json=body).json["links"]["self"]
        stranger = app.test_client()
        assert stranger.get(url).status_code == 200
        assert stranger.delete(url).status_code == 403
        assert client.delete(url).json["state"] == "cancelled"
        assert client.post(path, json=body).json["state"] == "queued"
        unknown = f"{path}/01890a5d-ac96-774b-bcce-b302099a8057"
        assert client.get(unknown).status_code == client.delete(unknown).status_code == 404
    game = client.post(ANALYSES, json=GAME).json["id"]
    for part in ("", "/graph", "/solutions"):
        assert client.get(f"{WAYS}/{game}{part}").status_code == 404
    assert client.delete(f"{WAYS}/{game}").status_code == 404
    search_id = client.post(WAYS, json={"board": EASY_3X3}).json["id"]
    assert client.get(f"{ANALYSES}/{search_id}").status_code == 404


@pytest.fixture(scope="module")
def paths() -> ShortestPaths:
    board = Board(list(map(int, FARTHEST_3X3.split())))
    return find_shortest_paths(board, blank_last(board.size)).graph


def test_all_shortest_solutions_are_listed_and_drawn(
    client: FlaskClient, work: DoWork, paths: ShortestPaths
) -> None:
    view = client.post(WAYS, json={"board": FARTHEST_3X3}).json
    for part in ("solutions", "graph"):
        problem = client.get(view["links"][part])
        assert problem.status_code == 409
        assert problem.json["type"] == "urn:tilework:problem:not-ended"
    work()
    result = client.get(view["links"]["self"]).json["result"]
    assert result["fewest_turns"]["moves"] == to_letters(paths.fewest_slides())
    response = client.post(WAYS, json={"board": FARTHEST_3X3})
    assert (response.status_code, response.json["id"]) == (200, view["id"])
    path = view["links"]["solutions"]
    response = client.get(path)
    assert response.content_type == "text/plain; charset=utf-8"
    lines = response.text.splitlines()
    assert lines == [to_letters(solution) for solution in paths.solutions()]
    assert client.get(f"{path}?first=3&count=2").text.splitlines() == lines[3:5]
    response = client.get(f"{path}?format=jsonl&first=38")
    assert response.content_type == "application/jsonl"
    records = [json.loads(line) for line in response.text.splitlines()]
    assert [record["number"] for record in records] == [38, 39]
    assert [record["moves"] for record in records] == lines[38:]
    assert client.get(f"{path}?first=1001").status_code == 422
    page = client.get(f"/ways/{view['id']}?page=2").text.partition('id="list"')[2]
    numbers = list(map(int, re.findall(r'data-number="(\d+)"', page)))
    assert re.findall(r"<code>([UDLR]+)</code>", page) == lines[numbers[0] - 1 : numbers[-1]] != []
    path = view["links"]["graph"]
    graph = client.get(path).json
    assert (len(graph["boards"]), len(graph["moves"])) == (paths.boards, paths.moves)
    assert graph["boards"][0] == {"rows": [[8, 6, 7], [2, 5, 4], [3, 0, 1]], "depth": 0, "ways": 40}
    headers = {"Accept": "text/vnd.graphviz"}
    response = client.get(path, headers=headers)
    assert response.content_type.startswith("text/vnd.graphviz")
    assert response.text.startswith("digraph ways {")
    assert response.text.count("->") == paths.moves
    assert response.headers["Vary"] == "Accept"
    assert client.get(f"{path}?format=dot").data == response.data
    assert client.get(f"{path}?format=json", headers=headers).json == graph


def test_graph_that_is_too_large_to_draw_is_reported(
    client: FlaskClient, work: DoWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (
        "solver.shortest_paths.find",
        "solver.shortest_paths.graph",
        "services.tasks.questions",
    ):
        monkeypatch.setattr(f"tilework.core.{module}.MAX_DRAWN", 10)
    url = client.post(WAYS, json={"board": FARTHEST_3X3}).headers["Location"]
    work()
    view = client.get(url).json
    assert (view["result"]["count"], view["result"]["drawn"]) == (40, False)
    response = client.get(view["links"]["graph"])
    assert response.status_code == 404
    assert "graphs of up to 10 can be drawn" in response.json["detail"]
    assert len(client.get(view["links"]["solutions"]).text.splitlines()) == 40
