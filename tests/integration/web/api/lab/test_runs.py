import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import DoWork
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

COMPARISONS = "/api/v1/comparisons"
BOARD = "1 2 3 4 5 X 6 7 8"
START = [1, 2, 3, 4, 5, 0, 6, 7, 8]
GOAL = [1, 2, 3, 4, 5, 6, 7, 8, 0]
UNKNOWN = "/api/v1/runs/00000000-0000-7000-8000-000000000000"
NO_TRACE = (404, "urn:tilework:problem:no-trace")


def make_run(
    client: FlaskClient, method: str = "a-star-replace:manhattan", **options: object
) -> str:
    body = {"board": BOARD, "methods": [method], **options}
    response = client.post(COMPARISONS, json=body)
    assert response.status_code in {200, 202}, response.text
    path: str = response.json["runs"][0]["links"]["self"]
    return path


def test_run_contains_its_solution(
    client: FlaskClient, work: DoWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_run(client)
    response = client.get(path)
    assert (response.json["state"], response.json["moves"]) == ("queued", None)
    tag = {"If-None-Match": response.headers["ETag"]}
    assert client.get(path, headers=tag).status_code == 304
    work()
    assert client.get(path, headers=tag).status_code == 200
    run = client.get(path).json
    assert (run["state"], run["length"], run["visited"]) == ("done", 13, 81)
    assert (run["board"], run["goal"], run["width"], run["height"]) == (START, GOAL, 3, 3)
    replay(Board(START), from_letters(run["moves"]), Board(GOAL))
    monkeypatch.setattr("tilework.web.api.runs.MAX_INLINE_MOVES", 12)
    run = client.get(path).json
    assert (run["moves"], run["length"]) == (None, 13), "too many moves to include"


def test_trace_has_every_requested_step(client: FlaskClient, work: DoWork) -> None:
    path = make_run(client, trace={"first": 5, "last": 2, "every": 40})
    work()
    run = client.get(path).json
    response = client.get(run["links"]["trace"])
    trace = response.json
    assert (trace["first"], trace["last"], trace["every"]) == (5, 2, 40)
    assert trace["expanded"] == run["expanded"] == 80
    assert [step["number"] for step in trace["steps"]] == [1, 2, 3, 4, 5, 40, 79, 80]
    assert len(trace["path"]) == 14
    assert trace["path"][0] == 0
    first, second = trace["steps"][:2]
    assert (first["node"], first["parent"], first["board"], first["g"]) == (0, None, START, 0)
    assert [child["move"] for child in first["children"]] == ["D", "U", "R"]
    for child in first["children"]:
        assert child["f"] == child["g"] + child["h"] == 1 + Board(child["board"]).manhattan()
    assert first["frontier_size"] == len(first["frontier"]) == 3
    assert (second["node"], second["parent"]) == (first["frontier"][0]["node"], 0)
    assert response.headers["Cache-Control"] == "private, max-age=86400, immutable"
    tag = {"If-None-Match": response.headers["ETag"]}
    cached_response = client.get(run["links"]["trace"], headers=tag)
    assert (cached_response.status_code, cached_response.data) == (304, b"")


def test_missing_trace_is_explained(client: FlaskClient, work: DoWork) -> None:
    def read_reason(url: str) -> str:
        response = client.get(f"{url}/trace")
        assert (response.status_code, response.json["type"]) == NO_TRACE
        return response.json["detail"]

    traced_run, plain_run = make_run(client, trace={}), make_run(client)
    board = [*range(1, 24), 0, 24]
    failing_run = make_run(client, "a-star:walking-distance", board=board, trace={})
    assert "queued" in read_reason(traced_run)
    work()
    assert "run the comparison again with a trace" in read_reason(plain_run)
    assert "ended (failed)" in read_reason(failing_run)
    assert "5×5" in client.get(failing_run).json["message"]
    for path in (UNKNOWN, f"{UNKNOWN}/trace"):
        assert client.get(path).status_code == 404
