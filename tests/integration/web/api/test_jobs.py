from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, FARTHEST_3X3, DoWork, MakeApp
from tilework.core.assembly import Services
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

JOBS = "/api/v1/jobs"
REQUEST = {"board": EASY_3X3}
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"
CALLBACK_REQUEST = {**REQUEST, "callback_url": "https://hooks.example/ended"}


def submit(client: FlaskClient, **options: object) -> str:
    response = client.post(JOBS, json={**REQUEST, **options})
    assert response.status_code in {200, 202}, response.text
    return response.headers["Location"]


def test_slides_and_moves_have_separate_solutions(
    client: FlaskClient, work: DoWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = submit(client, board=FARTHEST_3X3, metric="slides")
    work()
    solution = client.get(f"{path}/solution").json
    assert (solution["metric"], solution["slides"], solution["lower_bound"]) == ("slides", 20, 20)
    assert solution["length"] == len(solution["moves"]) > 20
    # It does not claim that these are the fewest moves.
    assert "minimum" not in client.get(f"{path}/solution?format=text").text.lower()
    request = {"board": FARTHEST_3X3, "metric": "slides"}
    response = client.post(JOBS, json=request)
    assert (response.status_code, response.json["moves"]) == (200, solution["moves"])
    monkeypatch.setattr("tilework.web.api.jobs.MAX_INLINE_MOVES", 20)
    assert "moves" not in client.post(JOBS, json=request).json
    assert client.post(JOBS, json={"board": FARTHEST_3X3}).status_code == 202
    assert client.get(f"/api/v1/solutions?board={FARTHEST_3X3}").status_code == 404


def test_solved_job_is_complete_and_its_solution_is_stored(
    app: Flask, client: FlaskClient, work: DoWork
) -> None:
    path = submit(client)
    assert "solution" not in client.get(path).json["links"]
    work()
    job = client.get(path).json
    assert job["created_at"] <= job["started_at"] <= job["finished_at"]
    assert client.get(f"{path}/activity").json["nodes"] == job["nodes"]
    # Fields that do not apply are omitted.
    assert not {"batch_id", "moves", "slides", "read_as"} & set(job)
    assert "gap" not in job["options"]
    for name in ("history", "activity"):
        assert client.get(f"{NO_JOB}/{name}").status_code == 404
    assert client.delete(path).json == job, "an ended job cannot be cancelled"
    mirrored_board = {"board": [1, 4, 0, 2, 5, 7, 3, 6, 8], "goal": [1, 4, 7, 2, 5, 8, 3, 6, 0]}
    for visitor, body in ((client, REQUEST), (app.test_client(), mirrored_board)):
        response = visitor.post(JOBS, json=body)
        assert response.status_code == 200
        assert (response.json["state"], response.json["cached"]) == ("optimal", True)
        start, goal = Board(response.json["board"]), Board(response.json["goal"])
        replay(start, from_letters(response.json["moves"]), goal)


def test_repeated_submission_does_not_mix_two_solutions(
    client: FlaskClient, services: Services, work: DoWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = {"Idempotency-Key": "once"}
    job_id = client.post(JOBS, json=REQUEST, headers=key).json["id"]
    work()
    assert client.post(JOBS, json=REQUEST, headers=key).json["moves"] == "LL"
    better = replace(services.read.solution(job_id), moves=from_letters("L"))
    monkeypatch.setattr(services.read, "solution", lambda _id: better)
    job = client.post(JOBS, json=REQUEST, headers=key).json
    assert (job["id"], job["upper_bound"], "moves" in job) == (job_id, 2, False)


def test_only_the_owner_can_cancel_but_anyone_can_read(app: Flask, client: FlaskClient) -> None:
    path = submit(client)
    for other in (app.test_client(), app.test_client()):
        assert other.get(path).status_code == 200
        assert other.delete(path).status_code == 403
        submit(other)
        assert other.delete(path).status_code == 403
    response = client.delete(path)
    assert (response.status_code, response.json["state"]) == (200, "cancelled")
    assert client.get(path).json["state"] == "cancelled"
    assert client.delete(NO_JOB).status_code == 404


def test_own_jobs_are_listed_newest_first_in_pages(client: FlaskClient) -> None:
    ids = [submit(client).rpartition("/")[2] for _ in range(5)]
    for first_page, name in ((f"{JOBS}?limit=2", "jobs"), ("/api/v1/history?limit=2", "entries")):
        pages, path = [], first_page
        while path:
            page = client.get(path).json
            pages.append([entry["id"] for entry in page[name]])
            path = page["next"]
        assert pages == [ids[:2:-1], ids[2:0:-1], ids[:1]]


def test_callbacks_need_allowed_hosts_and_belong_to_the_request_of_a_key(
    client: FlaskClient, make_app: MakeApp
) -> None:
    response = client.post(JOBS, json=CALLBACK_REQUEST)
    assert (response.status_code, response.json["code"]) == (422, "no-callbacks")
    client = make_app(callback_hosts="hooks.example", callback_secret="s").test_client()
    key = {"Idempotency-Key": "k"}
    bodies = (CALLBACK_REQUEST, CALLBACK_REQUEST, REQUEST)
    responses = [client.post(JOBS, json=body, headers=key) for body in bodies]
    assert [response.status_code for response in responses] == [202, 202, 409]
    assert responses[2].json["type"] == "urn:tilework:problem:conflict"
    assert responses[0].json["id"] == responses[1].json["id"]
    assert len(client.get(JOBS).json["jobs"]) == 1
    other_request = {**REQUEST, "callback_url": "https://other.example/"}
    assert client.post(JOBS, json=other_request).json["code"] == "callback-host"
    assert client.post(JOBS, json={**REQUEST, "callback_url": 5}).status_code == 422
    for response in (client.get(JOBS), client.get(responses[0].headers["Location"])):
        assert "hooks.example" not in response.text, "anyone with the URL of a job can read it"
    assert client.get("/api/v1/webhooks/deliveries").json == {"deliveries": []}
    client.delete(f"{JOBS}/{responses[0].json['id']}")
    [call] = client.get("/api/v1/webhooks/deliveries").json["deliveries"]
    assert (call["job_id"], call["state"]) == (responses[0].json["id"], "queued")
    assert (call["attempts"], call["error"]) == (0, None)


def test_responses_have_a_brief_form_without_boards(client: FlaskClient, work: DoWork) -> None:
    brief = {"brief": "true"}
    first, second = (client.post(JOBS, json=REQUEST, query_string=query) for query in ({}, brief))
    full_jobs = client.get(JOBS, query_string={"limit": 2}).json["jobs"]
    brief_page = client.get(JOBS, query_string=brief | {"limit": 2}).json
    assert set(first.json) - set(second.json) == {"board", "goal"}
    expected = [{name: job[name] for name in job.keys() - {"board", "goal"}} for job in full_jobs]
    assert brief_page["jobs"] == expected
    assert "brief=true" in brief_page["next"]
    portuguese_page = client.get(f"{JOBS}?lang=pt&limit=1").json
    assert client.get(portuguese_page["next"]).headers["Content-Language"] == "pt"
    job = client.delete(second.headers["Location"], query_string=brief).json
    assert (job["state"], "board" in job) == ("cancelled", False)
    work()
    response = client.post(JOBS, json=REQUEST, query_string=brief)
    assert (response.status_code, response.json["moves"], response.json["slides"]) == (200, "LL", 1)
    assert "board" not in response.json


HISTORY = "/api/v1/history"


def make_job(client: FlaskClient) -> str:
    return client.post("/api/v1/jobs", json={"board": EASY_3X3}).json["id"]


def test_only_own_entries_are_listed(app: Flask, client: FlaskClient) -> None:
    response = client.get(HISTORY)
    assert response.json == {"entries": [], "next": None}
    assert "Set-Cookie" not in response.headers
    job = make_job(client)
    other_client = app.test_client()
    make_job(other_client)
    assert app.test_client().get(HISTORY).json["entries"] == []
    [entry] = client.get(HISTORY).json["entries"]
    assert entry == entry | {"id": job, "kind": "job", "lower_bound": 2, "page": f"/jobs/{job}"}
    for query in ("kind=jobs", "limit=0", "limit=101", "before=1"):
        assert client.get(f"{HISTORY}?{query}").status_code == 422
