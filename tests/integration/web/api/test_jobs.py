from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

JOBS = "/api/v1/jobs"
EASY = {"board": "1 2 3 4 5 6 0 7 8"}
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"

Work = Callable[[], None]


def submit(client: FlaskClient, **options: object) -> str:
    answer = client.post(JOBS, json={**EASY, **options})
    assert answer.status_code in {200, 202}, answer.text
    return answer.headers["Location"]


@pytest.mark.parametrize(
    "board",
    [
        "1 2 3 4 5 6 0 7 8",
        "3\n1 2 3\n4 5 6\n0 7 8\n",
        "(1,2,3,4,5,6,X,7,8)",
        "[[1,2,3],[4,5,6],[0,7,8]]",
        [1, 2, 3, 4, 5, 6, 0, 7, 8],
        [[1, 2, 3], [4, 5, 6], [0, 7, 8]],
    ],
)
def test_a_board_in_any_form_becomes_a_job(client: FlaskClient, board: object) -> None:
    answer = client.post(JOBS, json={"board": board})
    assert answer.status_code == 202
    assert int(answer.headers["Retry-After"]) > 0
    job = answer.json
    assert answer.headers["Location"] == job["links"]["self"] == f"{JOBS}/{job['id']}"
    assert (job["state"], job["width"], job["height"]) == ("queued", 3, 3)
    assert job["board"] == [1, 2, 3, 4, 5, 6, 0, 7, 8]
    assert job["goal"] == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    assert (job["upper_bound"], job["gap"]) == (None, None)
    assert "solution" not in job["links"]


def test_a_flat_board_that_is_not_square_needs_its_width(client: FlaskClient) -> None:
    board = [1, 2, 3, 4, 0, 5]
    assert client.post(JOBS, json={"board": board}).status_code == 422
    answer = client.post(JOBS, json={"board": board, "width": 3})
    assert (answer.json["width"], answer.json["height"]) == (3, 2)


def test_a_solved_job_says_all_there_is_to_say(client: FlaskClient, work: Work) -> None:
    place = submit(client)
    work()
    job = client.get(place).json
    assert job["state"] == "optimal"
    assert (job["lower_bound"], job["upper_bound"], job["gap"], job["progress"]) == (2, 2, 0, 1)
    assert job["created_at"] <= job["started_at"] <= job["finished_at"] <= time.time()
    assert job["links"]["solution"] == f"{place}/solution"


def test_what_is_known_is_answered_at_once(client: FlaskClient, work: Work) -> None:
    submit(client)
    work()
    answer = client.post(JOBS, json=EASY)
    assert answer.status_code == 200
    assert (answer.json["state"], answer.json["cached"]) == ("optimal", True)
    replay(
        Board(answer.json["board"]), from_letters(answer.json["moves"]), Board(answer.json["goal"])
    )


def test_the_mirror_image_is_known_too(app: Flask, client: FlaskClient, work: Work) -> None:
    submit(client)
    work()
    mirrored = {"board": [1, 4, 0, 2, 5, 7, 3, 6, 8], "goal": [1, 4, 7, 2, 5, 8, 3, 6, 0]}
    answer = app.test_client().post(JOBS, json=mirrored)
    assert answer.status_code == 200
    replay(Board(mirrored["board"]), from_letters(answer.json["moves"]), Board(mirrored["goal"]))


def test_a_goal_may_be_a_name_or_a_board(client: FlaskClient, work: Work) -> None:
    board = "1 2 0 3 4 5 6 7 8"
    by_name = submit(client, board=board, goal="blank-first")
    work()
    by_board = client.post(JOBS, json={"board": board, "goal": [[0, 1, 2], [3, 4, 5], [6, 7, 8]]})
    assert by_board.status_code == 200
    assert client.get(by_name).json["upper_bound"] == len(by_board.json["moves"]) == 2
    assert by_board.json["goal"] == list(range(9))


def test_any_solution_will_do_where_it_is_asked_for(client: FlaskClient, work: Work) -> None:
    place = submit(client, board="8 6 7 2 5 4 3 0 1", target="any")
    work()
    job = client.get(place).json
    assert job["target"] == "any"
    assert job["upper_bound"] >= 31
    within = client.post(
        JOBS, json={"board": "8 6 7 2 5 4 3 0 1", "target": "gap", "gap": 100}
    ).json
    assert (within["gap_asked"], within["cached"]) == (100, True)


def test_a_key_makes_a_second_request_the_first(client: FlaskClient) -> None:
    headers = {"Idempotency-Key": "once"}
    first = client.post(JOBS, json=EASY, headers=headers)
    again = client.post(JOBS, json=EASY, headers=headers)
    assert first.json["id"] == again.json["id"]
    assert len(client.get(JOBS).json["jobs"]) == 1


def test_a_key_for_another_request_is_a_conflict(client: FlaskClient) -> None:
    headers = {"Idempotency-Key": "once"}
    client.post(JOBS, json=EASY, headers=headers)
    answer = client.post(JOBS, json={"board": "1 2 3 4 5 0 7 8 6"}, headers=headers)
    assert (answer.status_code, answer.json["type"]) == (409, "urn:tilework:problem:conflict")


def test_only_the_owner_may_cancel_but_anyone_may_look(app: Flask, client: FlaskClient) -> None:
    place = submit(client)
    for other in (app.test_client(), client_with_a_job(app)):
        assert other.get(place).status_code == 200
        assert other.delete(place).status_code == 403
    answer = client.delete(place)
    assert (answer.status_code, answer.json["state"]) == (200, "cancelled")
    assert client.get(place).json["state"] == "cancelled"


def test_cancelling_what_has_ended_changes_nothing(client: FlaskClient, work: Work) -> None:
    place = submit(client)
    work()
    before = client.get(place).json
    assert client.delete(place).json == before


def test_cancelling_nothing_is_no_job(client: FlaskClient) -> None:
    submit(client)
    assert client.delete(NO_JOB).status_code == 404


def test_my_jobs_come_newest_first_page_by_page(client: FlaskClient) -> None:
    places = [submit(client) for _ in range(5)]
    seen: list[str] = []
    address: str | None = f"{JOBS}?limit=2"
    while address:
        page = client.get(address).json
        assert len(page["jobs"]) <= 2
        seen += [job["links"]["self"] for job in page["jobs"]]
        address = page["next"]
    assert seen == places[::-1]


def test_history_tells_how_the_bounds_closed_in(client: FlaskClient, work: Work) -> None:
    place = submit(client)
    work()
    events = client.get(f"{place}/history").json["events"]
    assert events
    assert (events[-1]["lower_bound"], events[-1]["upper_bound"]) == (2, 2)
    assert client.get(f"{NO_JOB}/history").status_code == 404


def client_with_a_job(app: Flask) -> FlaskClient:
    client = app.test_client()
    submit(client)
    return client


@pytest.mark.parametrize("path", [JOBS, "/api/v1/batches"])
def test_an_algorithm_that_cannot_take_the_board_is_refused_and_no_job_is_made(
    client: FlaskClient, path: str
) -> None:
    board = " ".join(map(str, [*range(1, 48), 0, 48]))
    boards = {"board": board} if path == JOBS else {"boards": [board]}
    answer = client.post(path, json={**boards, "algorithm": "a-star"})
    assert answer.status_code == 422
    assert answer.content_type == "application/problem+json"
    assert "a-star is limited to 16 cells and a board of 7×7 has 49" in answer.json["detail"]
    assert client.get(JOBS).json["jobs"] == []


CALLED = {**EASY, "callback_url": "https://hooks.example/ended"}


def test_a_callback_is_refused_where_the_operator_allows_none(client: FlaskClient) -> None:
    answer = client.post(JOBS, json=CALLED)
    assert answer.status_code == 422
    assert answer.json["code"] == "no-callbacks"
    assert "callback_url" in answer.json["detail"]


def test_a_callback_is_part_of_the_request_of_a_key(make_app: Callable[..., Flask]) -> None:
    app = make_app(callback_hosts="hooks.example", callback_secret="s")
    client, key = app.test_client(), {"Idempotency-Key": "k"}
    assert client.post(JOBS, json=CALLED, headers=key).status_code == 202
    assert client.post(JOBS, json=CALLED, headers=key).status_code == 202
    assert client.post(JOBS, json=EASY, headers=key).status_code == 409
    other = {**EASY, "callback_url": "https://other.example/"}
    assert client.post(JOBS, json=other).json["code"] == "callback-host"
    assert client.post(JOBS, json={**EASY, "callback_url": 5}).status_code == 422
    for answer in (client.get(JOBS), client.get(client.get(JOBS).json["jobs"][0]["links"]["self"])):
        assert "hooks.example" not in answer.text, "whoever has a job's address may read it"


def test_every_answer_has_a_brief_form_without_the_boards(client: FlaskClient, work: Work) -> None:
    brief = {"brief": "true"}

    def same_but_for_boards(whole: dict, short: dict) -> bool:
        changing = ("id", "version", "links", "created_at", "queue_position")
        boards = ("board", "goal")
        return {"board", "goal"} <= set(whole) and {
            name: value for name, value in whole.items() if name not in (*changing, *boards)
        } == {name: value for name, value in short.items() if name not in changing}

    first, second = (client.post(JOBS, json=EASY, query_string=query) for query in ({}, brief))
    assert (first.status_code, second.status_code) == (202, 202)
    assert same_but_for_boards(first.json, second.json)
    whole = client.get(JOBS, query_string={"limit": 2}).json["jobs"]
    short = client.get(JOBS, query_string=brief | {"limit": 2}).json
    assert [job["id"] for job in short["jobs"]] == [job["id"] for job in whole]
    assert all(same_but_for_boards(*pair) for pair in zip(whole, short["jobs"], strict=True))
    assert "brief=true" in short["next"]
    ended = client.delete(second.headers["Location"], query_string=brief).json
    assert ended["state"] == "cancelled"
    assert "board" not in ended
    work()
    solved = client.post(JOBS, json=EASY, query_string=brief)
    assert (solved.status_code, solved.json["moves"], solved.json["slides"]) == (200, "LL", 1)
    assert "board" not in solved.json
