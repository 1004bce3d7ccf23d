from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tilework.core.errors import DamagedFileError
from tilework.web.problems import MEDIA_TYPE

JOBS = "/api/v1/jobs"
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"


def post(**how: object) -> dict[str, object]:
    return {"method": "POST", "path": JOBS, **how}


JSON = {"content_type": "application/json"}


@pytest.mark.parametrize(
    ("request_", "status", "name"),
    [
        ({"path": "/api/v1/nowhere"}, 404, "not-found"),
        ({"path": NO_JOB}, 404, "not-found"),
        ({"path": f"{JOBS}/not-a-uuid"}, 404, "not-found"),
        ({"path": JOBS, "method": "PUT"}, 405, "method"),
        (post(data="x" * 2_000, **JSON), 413, "too-large"),
        (post(data="<board/>", content_type="application/xml"), 415, "media-type"),
        (post(data="{"), 415, "media-type"),
        (post(data="", **JSON), 400, "body-not-json"),
        (post(data="{", **JSON), 400, "body-not-json"),
        (post(data='{"board": NaN}', **JSON), 400, "body-not-json"),
        (post(data=b'{"board": "\xff"}', **JSON), 400, "body-not-json"),
        (post(data='{"board": "\\ud800"}', **JSON), 400, "body-not-json"),
        (post(data="[" * 900, **JSON), 400, "body-not-json"),
        (post(data="null", **JSON), 422, "fields"),
        (post(json=[]), 422, "fields"),
        (post(json={}), 422, "fields"),
        (post(json={"board": "1 2 3 0", "bord": 1}), 422, "fields"),
        (post(json={"board": "1 2 3 0", "target": "best"}), 422, "fields"),
        (post(json={"board": "1 2 3 0", "target": "gap"}), 422, "fields"),
        (post(json={"board": "1 2 3 0", "gap": 0.5}), 422, "fields"),
        (post(json={"board": "1 2 3 0", "gap": -1, "target": "gap"}), 422, "fields"),
        (post(json={"board": "1 2 3 0", "time_limit_s": 0}), 422, "fields"),
        (post(json={"board": "1 2 3 0", "time_limit_s": 1e30}), 422, "option"),
        (post(json={"board": "1 2 3 0", "width": 0}), 422, "fields"),
        (post(json={"board": "1 2 x y"}), 422, "board-syntax"),
        (post(json={"board": [1, 2, 3, 10**400]}), 422, "board"),
        (post(json={"board": [[1, 2], [3]]}), 422, "board-syntax"),
        (post(json={"board": None}), 422, "board"),
        (post(json={"board": {"tiles": []}}), 422, "board"),
        (post(json={"board": "1 2 3 0", "goal": "nowhere"}), 422, "board-syntax"),
        (post(json={"board": "1 2 3 0", "goal": [1, 0]}), 422, "board"),
        (post(json={"board": "2 1 3 0"}), 422, "unsolvable"),
        (post(json={"board": [*list(range(1, 26)), 0], "width": 13}), 422, "board"),
        (post(json={"board": "1 2 3 0"}, headers={"Idempotency-Key": "k" * 256}), 422, "fields"),
        ({"path": f"{NO_JOB}?wait=soon"}, 422, "fields"),
        ({"path": f"{NO_JOB}?wait=nan"}, 422, "fields"),
        ({"path": f"{NO_JOB}/solution?format=pdf"}, 422, "fields"),
        ({"path": f"{JOBS}?limit=0"}, 422, "fields"),
        ({"path": f"{JOBS}?before=x"}, 422, "fields"),
        ({"path": "/api/v1/solutions"}, 422, "fields"),
        ({"path": "/api/v1/solutions?board=1+2+3+0"}, 404, "no-solution"),
    ],
)
def test_every_refusal_is_a_problem(
    make_app, request_: dict[str, object], status: int, name: str
) -> None:
    client = make_app(max_body_bytes=1_000, max_cells=25).test_client()
    answer = client.open(**request_)
    assert (answer.status_code, answer.json["type"]) == (status, f"urn:tilework:problem:{name}")
    assert answer.content_type == MEDIA_TYPE
    assert answer.json["status"] == status
    assert answer.json["instance"] == str(request_["path"]).split("?")[0]
    assert answer.json["title"]
    assert answer.json["detail"]


def test_a_method_problem_says_which_there_are(client: FlaskClient) -> None:
    assert set(client.put(JOBS).headers["Allow"].split(", ")) >= {"GET", "POST"}


def test_fields_are_pointed_at(client: FlaskClient) -> None:
    answer = client.post(JOBS, json={"board": "1 2 3 0", "target": "best", "time_limit_s": "x"})
    assert {error["pointer"] for error in answer.json["errors"]} == {"/target", "/time_limit_s"}
    assert "'best'" in answer.json["detail"]


def test_text_is_pointed_into(client: FlaskClient) -> None:
    answer = client.post(JOBS, json={"board": "1 2 3\n4 five 6\n7 8 0"})
    assert (answer.json["line"], answer.json["column"]) == (2, 3)


def test_parity_is_explained(client: FlaskClient) -> None:
    answer = client.post(JOBS, json={"board": "1 2 3 4 5 6 8 7 0"})
    assert "Inversions" in answer.json["explanation"]


def test_a_full_quota_says_when_to_come_back(make_app) -> None:
    client = make_app(jobs_per_client=1).test_client()
    assert client.post(JOBS, json={"board": "1 2 3 4 5 6 0 7 8"}).status_code == 202
    answer = client.post(JOBS, json={"board": "1 2 3 4 5 0 7 8 6"})
    assert (answer.status_code, answer.json["type"]) == (429, "urn:tilework:problem:quota")
    assert int(answer.headers["Retry-After"]) > 0


def test_a_full_service_says_when_to_come_back(make_app) -> None:
    app: Flask = make_app(depth_cap=1)
    assert app.test_client().post(JOBS, json={"board": "1 2 3 4 5 6 0 7 8"}).status_code == 202
    answer = app.test_client().post(JOBS, json={"board": "1 2 3 4 5 0 7 8 6"})
    assert (answer.status_code, answer.json["type"]) == (503, "urn:tilework:problem:overload")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("error", [RuntimeError("secret"), DamagedFileError("secret")])
def test_a_fault_is_told_without_its_words(app: Flask, error: Exception) -> None:
    def broken() -> str:
        raise error

    app.add_url_rule("/api/v1/broken", view_func=broken)
    app.add_url_rule("/broken", view_func=broken)
    answer = app.test_client().get("/api/v1/broken")
    assert (answer.status_code, answer.json["type"]) == (500, "urn:tilework:problem:internal")
    page = app.test_client().get("/broken")
    assert page.status_code == 500
    assert page.mimetype == "text/html"
    assert "secret" not in answer.text + page.text


def test_people_get_pages(client: FlaskClient) -> None:
    answer = client.get("/nowhere")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
