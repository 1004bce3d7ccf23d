from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

COMPARISONS = "/api/v1/comparisons"
BOARD = "1 2 3 4 5 X 6 7 8"
START = [1, 2, 3, 4, 5, 0, 6, 7, 8]
GOAL = [1, 2, 3, 4, 5, 6, 7, 8, 0]
NONE = "/api/v1/runs/00000000-0000-7000-8000-000000000000"

Work = Callable[[], None]


def run_of(client: FlaskClient, method: str = "a-star-replace:manhattan", **options: object) -> str:
    body = {"board": BOARD, "methods": [method], **options}
    answer = client.post(COMPARISONS, json=body)
    assert answer.status_code in {200, 202}, answer.text
    place: str = answer.json["runs"][0]["links"]["self"]
    return place


def test_a_run_is_shown_with_its_solution(client: FlaskClient, lab_work: Work) -> None:
    place = run_of(client)
    waiting = client.get(place).json
    assert (waiting["state"], waiting["moves"], waiting["visited"]) == ("queued", None, None)
    lab_work()
    run = client.get(place).json
    assert (run["state"], run["length"], run["visited"]) == ("done", 13, 81)
    assert (run["board"], run["goal"]) == (START, GOAL)
    assert (run["width"], run["height"]) == (3, 3)
    assert (run["method"], run["title"]) == (
        "a-star-replace:manhattan",
        "A* that replaces, as published · Manhattan",
    )
    assert (run["time_limit_s"], run["node_limit"], run["trace"]) == (10, 2_000_000, None)
    assert len(run["moves"]) == 13
    replay(Board(START), from_letters(run["moves"]), Board(GOAL))
    assert run["links"] == {"self": place}


def test_a_run_with_nothing_to_do_has_a_solution_without_moves(
    client: FlaskClient, lab_work: Work
) -> None:
    place = run_of(client, "breadth-first", board=GOAL)
    lab_work()
    run = client.get(place).json
    assert (run["moves"], run["length"], run["optimal"]) == ("", 0, True)


def test_moves_of_a_solution_too_long_to_read_are_left_out(
    client: FlaskClient, lab_work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilework.web.api.lab.run_documents.LONGEST_MOVES", 12)
    place = run_of(client)
    lab_work()
    run = client.get(place).json
    assert (run["moves"], run["length"]) == (None, 13)


def test_a_run_is_asked_for_anew_only_where_it_changed(client: FlaskClient, lab_work: Work) -> None:
    place = run_of(client)
    answer = client.get(place)
    assert answer.headers["Cache-Control"] == "no-cache"
    etag = {"If-None-Match": answer.headers["ETag"]}
    assert client.get(place, headers=etag).status_code == 304
    lab_work()
    assert client.get(place, headers=etag).status_code == 200


def test_a_trace_is_every_step_asked_for(client: FlaskClient, lab_work: Work) -> None:
    place = run_of(client, trace={"first": 5, "last": 2, "every": 40})
    lab_work()
    run = client.get(place).json
    assert run["trace"] == {"first": 5, "last": 2, "every": 40}
    trace = client.get(run["links"]["trace"]).json
    assert (trace["first"], trace["last"], trace["every"]) == (5, 2, 40)
    assert trace["expanded"] == run["expanded"] == 80
    assert [step["number"] for step in trace["steps"]] == [1, 2, 3, 4, 5, 40, 79, 80]
    assert len(trace["path"]) == 14
    assert trace["path"][0] == 0


def test_a_step_tells_its_node_its_children_and_who_is_next(
    client: FlaskClient, lab_work: Work
) -> None:
    place = run_of(client, trace={})
    lab_work()
    steps = client.get(f"{place}/trace").json["steps"]
    first = steps[0]
    distance = Board(START).manhattan()
    assert (first["node"], first["parent"], first["backward"]) == (0, None, False)
    assert (first["board"], first["g"], first["h"]) == (START, 0, distance)
    assert [child["move"] for child in first["children"]] == ["D", "U", "R"]
    for child in first["children"]:
        assert child["outcome"] == "new"
        assert child["f"] == child["g"] + child["h"] == 1 + Board(child["board"]).manhattan()
    assert first["frontier_size"] == len(first["frontier"]) == 3
    second = steps[1]
    assert second["node"] == first["frontier"][0]["node"]
    assert second["parent"] == 0
    assert all(_is_sound(step) for step in steps)


def _is_sound(step: dict[str, Any]) -> bool:
    outcomes = {child["outcome"] for child in step["children"]}
    return (
        len(step["frontier"]) <= 12
        and step["f"] == step["g"] + step["h"]
        and outcomes <= {"new", "duplicate", "cheaper", "cut"}
    )


def test_a_trace_may_be_kept_for_good(client: FlaskClient, lab_work: Work) -> None:
    place = run_of(client, trace={})
    lab_work()
    answer = client.get(f"{place}/trace")
    assert answer.headers["Cache-Control"] == "private, max-age=86400, immutable"
    again = client.get(f"{place}/trace", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_run_that_keeps_no_steps_says_so(client: FlaskClient, lab_work: Work) -> None:
    place = run_of(client)
    lab_work()
    answer = client.get(f"{place}/trace")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:no-trace")
    assert "compare again with a trace" in answer.json["detail"]


def test_a_run_that_goes_on_has_no_trace_yet(client: FlaskClient) -> None:
    place = run_of(client, trace={})
    answer = client.get(f"{place}/trace")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:no-trace")
    assert "queued" in answer.json["detail"]
    assert "Cache-Control" not in answer.headers


def test_a_method_that_does_not_work_on_a_board_says_why(
    client: FlaskClient, lab_work: Work
) -> None:
    board = [*range(1, 24), 0, 24]
    place = run_of(client, "a-star:walking-distance", board=board, trace={})
    lab_work()
    run = client.get(place).json
    assert (run["state"], run["length"], run["visited"]) == ("failed", None, None)
    assert "5×5" in run["message"]
    assert "trace" not in run["links"]
    answer = client.get(f"{place}/trace")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:no-trace")
    assert "ended failed" in answer.json["detail"]


@pytest.mark.parametrize("path", [NONE, f"{NONE}/trace", "/api/v1/runs/nothing"])
def test_no_run_is_not_found(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:not-found")
