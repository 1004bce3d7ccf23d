from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

COMPARISONS = "/api/v1/comparisons"
BOARD = "1 2 3 4 5 6 0 7 8"
ONE = {"board": BOARD, "methods": ["a-star"]}


@pytest.mark.parametrize(
    ("body", "pointer", "words"),
    [
        ({}, "", "either board or sweep"),
        ({"methods": ["a-star"]}, "", "give either board or sweep"),
        ({"board": BOARD, "sweep": {}}, "", "not both"),
        ({"sweep": {}, "width": 3}, "", "width"),
        ({"sweep": {}, "trace": {}}, "", "a sweep keeps no trace"),
        ({**ONE, "algorithms": ["a-star"]}, "", "not both"),
        ({"board": BOARD, "heuristics": ["manhattan"]}, "", "paired with algorithms"),
        ({"board": BOARD, "methods": []}, "/methods", "at least 1"),
        ({"board": BOARD, "methods": "a-star"}, "/methods", "array"),
        ({"board": BOARD, "methods": ["a-star", 7]}, "/methods/1", "string"),
        ({"board": BOARD, "methods": ["a-star", "dijkstra"]}, "/methods/1", "'dijkstra'"),
        ({"board": BOARD, "methods": ["a-star:euclid"]}, "/methods/0", "'euclid'"),
        ({"board": BOARD, "methods": ["a-star:manhattan:2"]}, "/methods/0", "no weight"),
        ({"board": BOARD, "methods": ["breadth-first:zero"]}, "/methods/0", "no heuristic"),
        ({"board": BOARD, "methods": ["beam:zero:nan"]}, "/methods/0", "'nan'"),
        ({"board": BOARD, "methods": ["beam:zero:1.5"]}, "/methods/0", "whole number"),
        ({"board": BOARD, "methods": ["beam:zero:0"]}, "/methods/0", "width 0"),
        ({"board": BOARD, "methods": ["weighted-a-star:zero:0.5"]}, "/methods/0", "0.5"),
        ({"board": BOARD, "methods": ["x" * 101]}, "/methods/0", "100"),
        ({"board": BOARD, "algorithms": ["dijkstra"]}, "/algorithms/0", "dijkstra"),
        (
            {"board": BOARD, "algorithms": ["a-star"], "heuristics": ["euclid"]},
            "/heuristics/0",
            "euclid",
        ),
        ({**ONE, "time_limit_s": 0}, "/time_limit_s", "greater than 0"),
        ({**ONE, "time_limit_s": "soon"}, "/time_limit_s", "soon"),
        ({**ONE, "node_limit": 1.5}, "/node_limit", "1.5"),
        ({**ONE, "node_limit": 10**30}, "/node_limit", "less than"),
        ({**ONE, "memory_limit_mb": -1}, "/memory_limit_mb", "-1"),
        ({**ONE, "trace": {"first": 2_001}}, "/trace/first", "2000"),
        ({**ONE, "trace": {"last": -1}}, "/trace/last", "-1"),
        ({**ONE, "trace": {"all": True}}, "/trace/all", "not permitted"),
        ({**ONE, "trace": True}, "/trace", "an object"),
        ({**ONE, "speed": 3}, "/speed", "not permitted"),
        ({"sweep": {"boards": 0}}, "/sweep/boards", "0"),
        ({"sweep": {"moves": 10**9}}, "/sweep/moves", "1000"),
        ({"sweep": {"seed": -1}}, "/sweep/seed", "-1"),
        ({"sweep": {"width": 0}}, "/sweep/width", "0"),
        ({**ONE, "a/b~": 3}, "/a~1b~0", "not permitted"),
        ({"sweep": {"depth": 4}}, "/sweep/depth", "not permitted"),
        ([BOARD], "", "an object"),
    ],
)
def test_a_field_that_does_not_fit_is_pointed_at(
    client: FlaskClient, body: object, pointer: str, words: str
) -> None:
    answer = client.post(COMPARISONS, json=body)
    assert (answer.status_code, answer.json["type"]) == (422, "urn:tilework:problem:fields")
    (error,) = answer.json["errors"]
    assert error["pointer"] == pointer
    assert words in error["detail"]
    assert "Value error" not in error["detail"]


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ({**ONE, "board": "1 2 3 4 5 6 8 7 0"}, "unsolvable", "cannot reach its goal"),
        ({**ONE, "board": "1 2 3 four"}, "board-syntax", "'four'"),
        ({**ONE, "board": [1, 2, 3, 3]}, "board", "3"),
        ({**ONE, "board": [1, 2, 3, 4, 0, 5]}, "board", "width"),
        ({**ONE, "board": 7}, "board", "7"),
        ({**ONE, "goal": "upside-down"}, "board-syntax", "upside-down"),
        ({**ONE, "goal": [1, 2, 3, 0]}, "board", "got 4 tiles"),
        ({**ONE, "board": list(range(441))}, "option", "400"),
        ({"sweep": {"width": 21, "height": 21}}, "option", "400"),
        ({"sweep": {"width": 32_768, "height": 32_768}}, "option", "400"),
        ({"sweep": {"boards": 500}, "algorithms": ["a-star", "greedy", "ida-star"]}, "option", ""),
        ({"sweep": {"boards": 500, "moves": 501}}, "option", "at most 500 moves"),
        ({"sweep": {}, "methods": ["greedy"]}, "option", "guarantees"),
        ({**ONE, "time_limit_s": 61}, "option", "time limit 61 s"),
        ({**ONE, "node_limit": 20_000_001}, "option", "20000000"),
        ({**ONE, "memory_limit_mb": 1_025}, "option", "memory limit 1025 MiB"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(
    client: FlaskClient, body: object, kind: str, words: str
) -> None:
    answer = client.post(COMPARISONS, json=body)
    assert (answer.status_code, answer.json["type"]) == (422, f"urn:tilework:problem:{kind}")
    assert words in answer.json["detail"]


def test_an_unsolvable_board_is_refused_with_its_inversions(client: FlaskClient) -> None:
    answer = client.post(COMPARISONS, json={"board": "1 2 3 4 5 6 8 7 0"})
    assert "Inversions" in answer.json["explanation"]
    assert "1 is odd" in answer.json["explanation"]


@pytest.mark.parametrize(
    ("how", "status", "kind"),
    [
        ({"data": "{", "content_type": "application/json"}, 400, "body-not-json"),
        ({"data": '{"width": NaN}', "content_type": "application/json"}, 400, "body-not-json"),
        ({"data": BOARD, "content_type": "text/plain"}, 415, "media-type"),
        ({"json": ONE, "headers": {"Authorization": "Bearer none"}}, 401, "authentication"),
        ({"json": ONE, "headers": {"Sec-Fetch-Site": "cross-site"}}, 403, "forbidden"),
    ],
)  # fmt: skip
def test_what_is_not_for_us_is_refused(
    client: FlaskClient, how: dict[str, object], status: int, kind: str
) -> None:
    answer = client.post(COMPARISONS, **how)
    assert (answer.status_code, answer.json["type"]) == (status, f"urn:tilework:problem:{kind}")


def test_a_client_has_only_so_many_unfinished_runs(make_app) -> None:
    app: Flask = make_app(lab_runs_per_client=2)
    client = app.test_client()
    two = {"board": BOARD, "methods": ["a-star", "breadth-first"]}
    assert client.post(COMPARISONS, json=two).status_code == 202
    answer = client.post(COMPARISONS, json={**two, "board": "1 2 3 4 5 6 7 0 8"})
    assert (answer.status_code, answer.json["type"]) == (429, "urn:tilework:problem:quota")
    assert int(answer.headers["Retry-After"]) > 0
    assert app.test_client().post(COMPARISONS, json=two).status_code == 202


def test_the_service_has_only_so_many_unfinished_runs(make_app) -> None:
    app: Flask = make_app(lab_depth_cap=1)
    assert app.test_client().post(COMPARISONS, json=ONE).status_code == 202
    answer = app.test_client().post(COMPARISONS, json={**ONE, "methods": ["breadth-first"]})
    assert (answer.status_code, answer.json["type"]) == (503, "urn:tilework:problem:overload")
    assert int(answer.headers["Retry-After"]) > 0


def test_nothing_refused_is_kept(client: FlaskClient) -> None:
    client.post(COMPARISONS, json={"board": "1 2 3 4 5 6 8 7 0"})
    client.post(COMPARISONS, json={**ONE, "time_limit_s": 61})
    queues = client.get("/api/v1/queues").json["queues"]
    assert {queue["ready"] for queue in queues} == {0}
