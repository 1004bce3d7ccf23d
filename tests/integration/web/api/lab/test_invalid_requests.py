from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3

COMPARISONS = "/api/v1/comparisons"
REQUEST = {"board": EASY_3X3, "methods": ["a-star"]}
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
    ({**REQUEST, "time_limit_s": 61}, "/time_limit_s", "at most 60"),
    ({**REQUEST, "node_limit": 1.5}, "/node_limit", "1.5"),
    ({**REQUEST, "node_limit": 20_000_001}, "/node_limit", "20000000"),
    ({**REQUEST, "trace": {"first": 2_001}}, "/trace/first", "2000"),
    ({"sweep": {"moves": 10**9}}, "/sweep/moves", "1000"),
    ({**REQUEST, "a/b~": 3}, "/a~1b~0", "not permitted"),
]
INVALID_REQUESTS = [
    ({**REQUEST, "board": UNSOLVABLE_3X3}, "unsolvable", "cannot reach its goal"),
    ({**REQUEST, "goal": [1, 2, 3, 0]}, "board", "4 tiles were given"),
    ({"sweep": {"width": 21, "height": 21}}, "option", "400"),
    ({**make_request("a-star"), "board": LARGE, "trace": {"first": 2_000}}, "option", "100 cells"),
    ({"sweep": {"boards": 500}, "algorithms": ["a-star", "greedy", "ida-star"]}, "option", ""),
    ({"sweep": {}, "methods": ["greedy"]}, "option", "guarantees"),
    ({**REQUEST, "memory_limit_mb": 1_025}, "option", "memory limit 1025 MiB"),
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
