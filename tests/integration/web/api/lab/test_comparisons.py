from __future__ import annotations

import time
from collections.abc import Callable
from threading import Thread

import pytest
from flask import Flask
from flask.testing import FlaskClient

COMPARISONS = "/api/v1/comparisons"
NONE = f"{COMPARISONS}/00000000-0000-7000-8000-000000000000"
BOARD = "1 2 3 4 5 X 6 7 8"
TWO = {"board": BOARD, "methods": ["a-star-replace:manhattan", "breadth-first"]}

Work = Callable[[], None]


def compare(client: FlaskClient, **options: object) -> str:
    answer = client.post(COMPARISONS, json={**TWO, **options})
    assert answer.status_code in {200, 202}, answer.text
    return answer.headers["Location"]


def test_what_was_asked_for_is_told_and_every_run_waits(client: FlaskClient) -> None:
    answer = client.post(COMPARISONS, json=TWO)
    assert answer.status_code == 202
    assert int(answer.headers["Retry-After"]) > 0
    found = answer.json
    address = f"{COMPARISONS}/{found['id']}"
    assert answer.headers["Location"] == address
    assert found["links"] == {
        "self": address,
        "csv": f"{address}/results?format=csv",
        "json": f"{address}/results?format=json",
    }
    assert (found["state"], found["total"], found["unfinished"]) == ("running", 2, 2)
    assert (found["width"], found["height"], found["sweep"], found["trace"]) == (3, 3, None, None)
    assert found["board"] == [1, 2, 3, 4, 5, 0, 6, 7, 8]
    assert found["goal"] == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    assert found["methods"] == TWO["methods"]
    limits = {name: found[name] for name in ("time_limit_s", "node_limit", "memory_limit_mb")}
    assert limits == {"time_limit_s": 10, "node_limit": 2_000_000, "memory_limit_mb": 512}
    run = found["runs"][0]
    assert (run["method"], run["state"], run["shared"]) == (TWO["methods"][0], "queued", False)
    assert (run["algorithm"], run["heuristic"]) == ("a-star-replace", "manhattan")
    assert run["visited"] is run["length"] is run["seconds"] is None
    assert run["links"] == {"self": f"/api/v1/runs/{run['id']}"}


def test_the_runs_end_with_their_figures(client: FlaskClient, lab_work: Work) -> None:
    place = compare(client)
    lab_work()
    found = client.get(place).json
    assert (found["state"], found["unfinished"]) == ("finished", 0)
    published, breadth_first = found["runs"]
    assert (published["visited"], published["max_frontier"], published["length"]) == (81, 56, 13)
    assert (breadth_first["length"], breadth_first["optimal"]) == (13, True)
    # It promises nothing; that its solution is a shortest one shows beside breadth-first.
    assert published["optimal"]
    assert {run["optimal_length"] for run in found["runs"]} == {13}
    assert {run["stopped_by"] for run in found["runs"]} == {None}
    assert published["seconds"] > 0


def test_heuristics_answer_to_their_published_names(client: FlaskClient) -> None:
    pairs = {"board": BOARD, "algorithms": ["a-star-replace"], "heuristics": ["h1", "h2", "h3"]}
    found = client.post(COMPARISONS, json=pairs).json
    assert found["methods"] == [
        "a-star-replace:hamming-blank",
        "a-star-replace:manhattan",
        "a-star-replace:mean-blank",
    ]


def test_without_methods_ten_are_compared(client: FlaskClient) -> None:
    found = client.post(COMPARISONS, json={"board": BOARD}).json
    assert found["total"] == len(found["runs"]) == 10
    assert found["methods"] == client.get("/api/v1/lab").json["default_methods"]


def test_algorithms_are_paired_with_heuristics(client: FlaskClient) -> None:
    options = {
        "board": BOARD,
        "algorithms": ["a-star", "breadth-first", "weighted-a-star"],
        "heuristics": ["manhattan", "hamming"],
    }
    assert client.post(COMPARISONS, json=options).json["methods"] == [
        "a-star:manhattan",
        "a-star:hamming",
        "breadth-first",
        "weighted-a-star:manhattan:2",
        "weighted-a-star:hamming:2",
    ]


def test_methods_are_filled_in_and_none_is_run_twice(client: FlaskClient) -> None:
    methods = ["a-star", "a-star:manhattan", "beam", "weighted-a-star:hamming:1.5"]
    found = client.post(COMPARISONS, json={"board": BOARD, "methods": methods}).json
    assert found["methods"] == [
        "a-star:manhattan",
        "beam:manhattan:100",
        "weighted-a-star:hamming:1.5",
    ]
    assert [run["beam_width"] for run in found["runs"]] == [None, 100, None]
    assert [run["weight"] for run in found["runs"]] == [None, None, 1.5]


def test_any_goal_and_size_will_do(client: FlaskClient, lab_work: Work) -> None:
    place = compare(client, board=[0, 1, 2, 3, 4, 5], width=3, goal=[1, 2, 0, 3, 4, 5])
    lab_work()
    found = client.get(place).json
    assert (found["width"], found["height"]) == (3, 2)
    assert {run["optimal_length"] for run in found["runs"]} == {2}


def test_the_same_request_is_the_same_comparison(client: FlaskClient) -> None:
    assert compare(client) == compare(client)
    assert compare(client) != compare(client, node_limit=1_000)


def test_runs_are_shared_among_clients(app: Flask, client: FlaskClient, lab_work: Work) -> None:
    place = compare(client)
    lab_work()
    first = client.get(place).json
    answer = app.test_client().post(COMPARISONS, json=TWO)
    assert answer.status_code == 200
    second = answer.json
    assert second["id"] != first["id"]
    assert second["state"] == "finished"
    assert [run["id"] for run in second["runs"]] == [run["id"] for run in first["runs"]]
    assert {run["shared"] for run in second["runs"]} == {True}
    assert [run["seconds"] for run in second["runs"]] == [run["seconds"] for run in first["runs"]]


def test_a_sweep_is_of_the_same_boards_for_the_same_seed(
    app: Flask, client: FlaskClient, lab_work: Work
) -> None:
    sweep = {"width": 2, "height": 3, "boards": 3, "moves": 9, "seed": 4}
    options = {"sweep": sweep, "methods": ["a-star:manhattan", "depth-first"]}
    answer = client.post(COMPARISONS, json=options)
    found = answer.json
    assert (found["sweep"], found["board"], found["total"]) == (sweep, None, 6)
    assert [run["board_index"] for run in found["runs"]] == [0, 0, 1, 1, 2, 2]
    lab_work()
    found = client.get(answer.headers["Location"]).json
    for one, other in zip(found["runs"][::2], found["runs"][1::2], strict=True):
        assert one["optimal_length"] == other["optimal_length"] == one["length"]
        assert one["length"] <= 9
    again = app.test_client().post(COMPARISONS, json=options).json
    assert [run["id"] for run in again["runs"]] == [run["id"] for run in found["runs"]]


def test_a_limit_ends_a_run_with_what_it_found(client: FlaskClient, lab_work: Work) -> None:
    place = compare(client, node_limit=20, methods=["breadth-first"])
    lab_work()
    (run,) = client.get(place).json["runs"]
    assert (run["state"], run["stopped_by"], run["length"]) == ("done", "nodes", None)
    assert run["generated"] >= 20
    assert run["message"]
    assert run["optimal_length"] is None


def test_the_etag_is_the_version_and_spares_the_body(client: FlaskClient, lab_work: Work) -> None:
    place = compare(client)
    answer = client.get(place)
    etag = {"If-None-Match": answer.headers["ETag"]}
    assert answer.headers["ETag"] == f'"{answer.json["version"]}"'
    assert answer.headers["Cache-Control"] == "no-cache"
    unchanged = client.get(place, headers=etag)
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    assert unchanged.headers["ETag"] == answer.headers["ETag"]
    lab_work()
    changed = client.get(place, headers=etag)
    assert changed.status_code == 200
    assert changed.headers["ETag"] != answer.headers["ETag"]


def test_a_long_poll_waits_for_another_version(client: FlaskClient, lab_work: Work) -> None:
    place = compare(client)
    version = client.get(place).json["version"]
    worker = Thread(target=lab_work)
    worker.start()
    answer = client.get(f"{place}?wait=20&since={version}")
    worker.join()
    assert answer.json["version"] != version


def test_a_long_poll_without_a_version_waits_for_the_end(
    client: FlaskClient, lab_work: Work
) -> None:
    place = compare(client)
    worker = Thread(target=lab_work)
    worker.start()
    answer = client.get(f"{place}?wait=20")
    worker.join()
    assert answer.json["state"] == "finished"


def test_a_long_poll_gives_up_after_its_time(client: FlaskClient) -> None:
    place = compare(client)
    version = client.get(place).json["version"]
    began = time.monotonic()
    assert client.get(f"{place}?wait=0.2").json["state"] == "running"
    assert client.get(f"{place}?wait=0.2&since={version}").status_code == 200
    etag = {"If-None-Match": f'"{version}"'}
    assert client.get(f"{place}?wait=0.2", headers=etag).status_code == 304
    assert time.monotonic() - began >= 0.6


def test_where_too_many_wait_the_answer_comes_at_once(make_app) -> None:
    client = make_app(max_waiters=0).test_client()
    place = compare(client)
    began = time.monotonic()
    assert client.get(f"{place}?wait=20").json["state"] == "running"
    assert time.monotonic() - began < 10


def test_only_the_owner_may_cancel_but_anyone_may_look(app: Flask, client: FlaskClient) -> None:
    place = compare(client)
    other = app.test_client()
    assert other.get(place).status_code == 200
    answer = other.delete(place)
    assert (answer.status_code, answer.json["type"]) == (403, "urn:tilework:problem:forbidden")
    answer = client.delete(place)
    assert (answer.status_code, answer.json["state"]) == (200, "cancelled")
    assert {run["state"] for run in answer.json["runs"]} == {"cancelled"}
    assert client.get(place).headers["ETag"] == answer.headers["ETag"]


def test_runs_that_others_want_too_are_not_cancelled(
    app: Flask, client: FlaskClient, lab_work: Work
) -> None:
    place = compare(client)
    other = app.test_client()
    others = compare(other)
    assert client.delete(place).json["state"] == "cancelled"
    lab_work()
    assert other.get(others).json["state"] == "finished"


@pytest.mark.parametrize("path", [NONE, f"{NONE}/results", f"{COMPARISONS}/nothing"])
def test_no_comparison_is_not_found(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:not-found")


def test_cancelling_nothing_is_not_found(client: FlaskClient) -> None:
    compare(client)
    assert client.delete(NONE).status_code == 404
