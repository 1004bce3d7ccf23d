import csv
import io

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3, DoWork
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

COMPARISONS = "/api/v1/comparisons"
UNKNOWN = f"{COMPARISONS}/00000000-0000-7000-8000-000000000000"
BOARD = "1 2 3 4 5 X 6 7 8"
REQUEST = {"board": BOARD, "methods": ["a-star-replace:manhattan", "breadth-first"]}
COLUMNS = [
    "board_index", "board", "optimal_length", "method", "algorithm", "heuristic", "weight",
    "beam_width", "state", "length", "optimal", "stopped_by", "expanded", "generated", "visited",
    "frontier", "max_frontier", "duplicates", "depth", "branching", "seconds", "memory_bytes",
    "message",
]  # fmt: skip


def compare(client: FlaskClient, **options: object) -> str:
    response = client.post(COMPARISONS, json={**REQUEST, **options})
    assert response.status_code in {200, 202}, response.text
    return response.headers["Location"]


def read_rows(client: FlaskClient, path: str) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(client.get(f"{path}/results").text, newline=""))
    assert reader.fieldnames == COLUMNS
    return list(reader)


def test_only_its_client_cancels_a_comparison(app: Flask, client: FlaskClient) -> None:
    url = compare(client)
    unshared_url = compare(client, node_limit=1_000)
    assert compare(client) == url != unshared_url
    other = app.test_client()
    compare(other)
    for stranger in (other, app.test_client()):
        assert stranger.get(url).status_code == 200
        assert stranger.delete(url).status_code == 403
    response = client.delete(url)
    assert (response.status_code, response.json["state"]) == (200, "cancelled")
    assert client.get(url).headers["ETag"] == response.headers["ETag"]
    assert {run["state"] for run in response.json["runs"]} == {"queued"}, "still needed"
    assert {run["state"] for run in client.delete(unshared_url).json["runs"]} == {"cancelled"}
    for path in (UNKNOWN, f"{UNKNOWN}/results", f"{COMPARISONS}/nothing"):
        problem = client.get(path)
        assert problem.status_code == 404
        assert problem.json["type"] == "urn:tilework:problem:not-found"
    assert client.delete(UNKNOWN).status_code == 404


def test_seed_determines_sweep_boards(app: Flask, client: FlaskClient, work: DoWork) -> None:
    sweep = {"width": 2, "height": 3, "boards": 3, "moves": 9, "seed": 4}
    options = {"sweep": sweep, "methods": ["a-star:manhattan", "depth-first"]}
    response = client.post(COMPARISONS, json=options)
    path, comparison = response.headers["Location"], response.json
    assert (comparison["sweep"], comparison["board"], comparison["total"]) == (sweep, None, 6)
    assert [run["board_index"] for run in comparison["runs"]] == [0, 0, 1, 1, 2, 2]
    work()
    comparison = client.get(path).json
    for first, second in zip(comparison["runs"][::2], comparison["runs"][1::2], strict=True):
        assert first["optimal_length"] == second["optimal_length"] == first["length"]
        assert first["length"] <= 9
    # The runs of equal requests are shared.
    second = app.test_client().post(COMPARISONS, json=options).json
    assert [run["id"] for run in second["runs"]] == [run["id"] for run in comparison["runs"]]
    assert (second["state"], {run["shared"] for run in second["runs"]}) == ("finished", {True})


def test_files_contain_the_published_counts(client: FlaskClient, work: DoWork) -> None:
    methods = ["a-star-replace:manhattan", "weighted-a-star:hamming:1.5", "beam:manhattan:20"]
    path = compare(client, methods=[*methods, "breadth-first"])
    work()
    rows = read_rows(client, path)
    assert [row["method"] for row in rows] == [*methods, "breadth-first"]
    expected = {"visited": "81", "length": "13", "optimal": "true", "optimal_length": "13"}
    expected |= {"board_index": "0", "state": "done", "stopped_by": "", "message": ""}
    assert rows[0] == rows[0] | expected
    assert [row["weight"] for row in rows] == ["", "1.5", "", ""]
    assert [row["beam_width"] for row in rows] == ["", "", "20", ""]
    for record, row in zip(client.get(f"{path}/results?format=json").json, rows, strict=True):
        assert list(record) == COLUMNS
        assert record["board"] == [1, 2, 3, 4, 5, 0, 6, 7, 8]
        for name in ("visited", "expanded", "generated", "frontier", "duplicates", "depth"):
            assert int(row[name]) == record[name]
        assert float(row["seconds"]) == record["seconds"]
        assert float(row["branching"]) == record["branching"]


START = [1, 2, 3, 4, 5, 0, 6, 7, 8]
GOAL = [1, 2, 3, 4, 5, 6, 7, 8, 0]
UNKNOWN_RUN = "/api/v1/runs/00000000-0000-7000-8000-000000000000"
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
    work()
    run = client.get(path).json
    assert (run["board"], run["goal"], run["length"]) == (START, GOAL, 13)
    replay(Board(START), from_letters(run["moves"]), Board(GOAL))
    monkeypatch.setattr("tilework.web.api.documents.MAX_INLINE_MOVES", 12)
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
    for path in (UNKNOWN_RUN, f"{UNKNOWN_RUN}/trace"):
        assert client.get(path).status_code == 404


EASY_REQUEST = {"board": EASY_3X3, "methods": ["a-star"]}
LARGE = [*range(1, 99), 0, 99]


def make_request(*names: object) -> dict[str, object]:
    return {"board": EASY_3X3, "methods": list(names)}


INVALID_FIELDS = [
    ({"methods": ["a-star"]}, "", "give either board or sweep"),
    ({"board": EASY_3X3, "sweep": {}}, "", "not both"),
    ({"sweep": {}, "width": 3}, "", "width"),
    ({"sweep": {}, "trace": {}}, "", "a sweep records no trace"),
    ({"board": EASY_3X3, "heuristics": ["manhattan"]}, "", "combined with algorithms"),
    (make_request(), "/methods", "at least 1"),
    (make_request("a-star", "dijkstra"), "/methods/1", "'dijkstra'"),
    ({"board": EASY_3X3, "algorithms": ["greedy"], "heuristics": ["h9"]}, "/heuristics/0", "h9"),
    ({**EASY_REQUEST, "time_limit_s": 61}, "/time_limit_s", "at most 60"),
    ({**EASY_REQUEST, "node_limit": 1.5}, "/node_limit", "1.5"),
    ({**EASY_REQUEST, "trace": {"first": 2_001}}, "/trace/first", "2000"),
    ({**EASY_REQUEST, "a/b~": 3}, "/a~1b~0", "not permitted"),
]

INVALID_REQUESTS = [
    ({**EASY_REQUEST, "board": UNSOLVABLE_3X3}, "unsolvable", "cannot reach its goal"),
    ({"sweep": {"width": 21, "height": 21}}, "option", "400"),
    ({**EASY_REQUEST, "goal": [1, 2, 3, 0]}, "board", "4 tiles were given"),
    ({**make_request("a-star"), "board": LARGE, "trace": {"first": 2_000}}, "option", "100 cells"),
    ({"sweep": {"boards": 500}, "algorithms": ["a-star", "greedy", "ida-star"]}, "option", ""),
    ({"sweep": {}, "methods": ["greedy"]}, "option", "guarantees"),
    ({**EASY_REQUEST, "memory_limit_mb": 1_025}, "option", "memory limit 1025 MiB"),
]


def test_invalid_comparison_is_rejected_and_nothing_is_stored(client: FlaskClient) -> None:
    for body, pointer, expected in INVALID_FIELDS:
        response = client.post(COMPARISONS, json=body)
        assert (response.status_code, response.json["type"]) == (422, "urn:tilework:problem:fields")
        (error,) = response.json["errors"]
        assert error["pointer"] == pointer, body
        assert expected in error["detail"]
        assert "Value error" not in error["detail"]
    for body, kind, expected in INVALID_REQUESTS:
        response = client.post(COMPARISONS, json=body)
        problem = (response.status_code, response.json["type"])
        assert problem == (422, f"urn:tilework:problem:{kind}"), body
        assert expected in response.json["detail"]
    assert {queue["ready"] for queue in client.get("/api/v1/queues").json["queues"]} == {0}
