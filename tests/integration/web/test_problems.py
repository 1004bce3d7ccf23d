import json
import re
from typing import Any
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from tests.integration.web.conftest import EASY_3X3, OPERATOR_LINK, OPERATOR_TOKEN, MakeApp
from tilework.core.errors import DamagedFileError, DatabaseUnavailableError
from tilework.core.logs import Repetition
from tilework.core.model.states import SuspensionKind
from tilework.core.storage.database import Database
from tilework.web import problems
from tilework.web.limits import (
    MAX_DIGITS,
    SMALL_BYTES,
    BodyLimits,
    find_costly_content,
)
from tilework.web.problems import MEDIA_TYPE

JOBS = "/api/v1/jobs"
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"
SMALL_BOARD = "1 2 3 0"
FOUR_BOARDS = (EASY_3X3, "1 2 3 4 5 0 7 8 6", "1 2 3 4 5 6 7 0 8", "1 2 3 4 0 6 7 5 8")
JSON = {"content_type": "application/json"}


def make_post(**options: object) -> dict[str, object]:
    return {"method": "POST", "path": JOBS} | options


INVALID_REQUESTS = [
    ({"path": NO_JOB}, 404, "not-found"),
    ({"path": f"{JOBS}/not-a-uuid"}, 404, "not-found"),
    ({"path": JOBS, "method": "PUT"}, 405, "method"),
    (make_post(data="x" * 2_000, **JSON), 413, "too-large"),
    (make_post(data="<board/>", content_type="application/xml"), 415, "media-type"),
    (make_post(data="{", **JSON), 400, "body-not-json"),
    (make_post(data=b'{"board": "\xff"}', **JSON), 400, "body-not-json"),
    (make_post(data='{"board": "\\ud800"}', **JSON), 400, "body-not-json"),
    (make_post(data="[" * 900, **JSON), 400, "body-not-json"),
    (make_post(data="null", **JSON), 422, "fields"),
    (make_post(json={"board": SMALL_BOARD, "bord": 1}), 422, "fields"),
    (make_post(json={"board": SMALL_BOARD, "time_limit_s": 1e30}), 422, "option"),
    (
        make_post(json={"board": SMALL_BOARD, "algorithm": "ida-star", "metric": "slides"}),
        422,
        "option",
    ),
    (make_post(json={"board": SMALL_BOARD, "heuristic": "hamming"}), 422, "option"),
    (make_post(json={"board": "1 2 x y"}), 422, "board-syntax"),
    (make_post(json={"board": [1, 2, 3, 10**400]}), 422, "board"),
    (make_post(json={"board": SMALL_BOARD, "goal": "nowhere"}), 422, "board-syntax"),
    (make_post(json={"board": "2 1 3 0"}), 422, "unsolvable"),
    (make_post(json={"board": [*range(1, 26), 0], "width": 13}), 422, "board"),
    (make_post(json={"board": SMALL_BOARD}, headers={"Idempotency-Key": "k" * 256}), 422, "fields"),
    ({"path": f"{NO_JOB}?wait=nan"}, 422, "fields"),
    ({"path": f"{NO_JOB}/solution?format=pdf"}, 422, "fields"),
    ({"path": "/api/v1/solutions"}, 422, "fields"),
    ({"path": "/api/v1/solutions?board=1+2+3+0"}, 404, "no-solution"),
]


def test_every_error_is_a_problem(make_app: MakeApp) -> None:
    client = make_app(max_body_bytes=1_000, max_cells=25).test_client()
    for path in ("/nowhere", "/jobs/01890000-0000-7000-8000-000000000000", "/jobs/words"):
        page = client.get(path)
        assert (page.status_code, page.mimetype) == (404, "text/html")
        assert "Page not found" in page.text
    for request, status, name in INVALID_REQUESTS:
        response = client.open(**request)
        problem = (response.status_code, response.json["type"])
        assert problem == (status, f"urn:tilework:problem:{name}"), request
        assert response.content_type == MEDIA_TYPE
        assert response.json["status"] == status
        assert response.json["instance"] == str(request["path"]).split("?")[0]
        assert response.json["title"]
        assert response.json["detail"]
    assert set(client.put(JOBS).headers["Allow"].split(", ")) >= {"GET", "POST"}


def test_problem_points_to_the_error(client: FlaskClient) -> None:
    response = client.post(JOBS, json={"board": SMALL_BOARD, "target": "best", "time_limit_s": "x"})
    assert {error["pointer"] for error in response.json["errors"]} == {"/target", "/time_limit_s"}
    assert "'best'" in response.json["detail"]
    problem = client.post(JOBS, json={"board": SMALL_BOARD, "target": "gap"}).json
    assert problem["detail"] == "gap is given with the target 'gap', and only there"
    problem = client.post(JOBS, json={"board": "1 2 3\n4 five 6\n7 8 0"}).json
    assert (problem["line"], problem["column"]) == (2, 3)


def test_quota_and_overload_say_when_to_retry(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = "tilework.core.services.tasks.questions"
    comparisons = "tilework.core.services.comparisons"
    for path, extra, quota, cap in (
        (JOBS, {}, None, None),
        (
            "/api/v1/comparisons",
            {"methods": ["a-star"]},
            f"{comparisons}.RUNS_PER_CLIENT",
            f"{comparisons}.MAX_UNFINISHED_RUNS",
        ),
        (
            "/api/v1/analyses",
            {"moves": ""},
            f"{questions}.ANALYSES_PER_CLIENT",
            f"{questions}.MAX_UNFINISHED_ANALYSES",
        ),
    ):
        if quota is not None:
            monkeypatch.setattr(quota, 2)
            monkeypatch.setattr(cap, 3)
        app = make_app(jobs_per_client=2, depth_cap=3)
        first, second, third = (app.test_client() for _ in range(3))
        bodies = [{"board": board} | extra for board in FOUR_BOARDS]
        assert [first.post(path, json=body).status_code for body in bodies[:2]] == [202, 202]
        denial = first.post(path, json=bodies[2])
        assert (denial.status_code, denial.json["type"]) == (429, "urn:tilework:problem:quota")
        assert second.post(path, json=bodies[2]).status_code == 202
        error = third.post(path, json=bodies[3])
        assert (error.status_code, error.json["type"]) == (503, "urn:tilework:problem:overload")
        assert min(int(response.headers["Retry-After"]) for response in (denial, error)) > 0


def test_internal_error_is_reported_without_its_text(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(operator_token=OPERATOR_TOKEN)
    errors = [RuntimeError("secret"), DamagedFileError("secret")]

    def fail(number: int) -> str:
        raise errors[number]

    app.add_url_rule("/api/v1/broken/<int:number>", view_func=fail)
    app.add_url_rule("/broken/<int:number>", view_func=fail)
    client = app.test_client()
    for number in range(len(errors)):
        with capture_logs():
            response = client.get(f"/api/v1/broken/{number}")
            page = client.get(f"/broken/{number}")
        assert response.status_code == 500
        assert response.json["type"] == "urn:tilework:problem:internal"
        assert (page.status_code, page.mimetype) == (500, "text/html")
        assert "Server error" in page.text
        assert "secret" not in response.text + page.text
    forms = {
        "/jobs": {"board": EASY_3X3},
        "/ways": {"board": EASY_3X3},
        "/operator": {"action": "resume-queue", "name": "interactive"},
    }
    client.get(OPERATOR_LINK)
    for error, status in ((errors[1], 500), (DatabaseUnavailableError("secret"), 503)):
        monkeypatch.setattr(Database, "writing", Mock(side_effect=error))
        for path, form in forms.items():
            with capture_logs():
                page = client.post(path, data=form)
            assert (page.status_code, "Server error" in page.text) == (status, True), path
            assert "secret" not in page.text


def test_outage_of_the_database_is_logged_once_and_every_response_names_that_line(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    # Other tests may have logged an outage.
    monkeypatch.setattr(problems, "_outages", Repetition())
    monkeypatch.setattr(Database, "writing", Mock(side_effect=DatabaseUnavailableError("away")))
    with capture_logs() as lines:
        responses = [app.test_client().post(JOBS, json={"board": EASY_3X3}) for _ in range(30)]
    assert {response.status_code for response in responses} == {503}
    [line] = [line for line in lines if line["event"] == "request failed"]
    assert {response.json["error_id"] for response in responses} == {line["error_id"]}


def test_nul_in_a_text_is_never_an_error_of_the_service(
    make_app: MakeApp, postgres_url: str
) -> None:
    client = make_app(database_url=postgres_url).test_client()  # SQLite stores it
    job = client.post(JOBS, json={"board": EASY_3X3}).json["id"]
    actions = ["cancel", "retry", "drop", "build", "delete", "priority-high"]
    actions += [f"{verb}-{kind}" for verb in ("suspend", "resume") for kind in SuspensionKind]
    requests = [
        *(("POST", "/operator", {"action": action, "name": "a\0b"}) for action in actions),
        ("POST", "/operator", {"action": "a\0b", "name": "a\0b"}),
        ("POST", "/operator/key", {"key": "a\0b"}),
    ]
    names = "before kind board goal format metric state algorithm job_id limit left_out move page"
    query = "&".join(f"{name}=a%00b" for name in [*names.split(), "lang", "wait", "name", "sort"])
    form = dict.fromkeys([*names.split(), "name", "next", "language", "goal_board"], "a\0b")
    for rule in client.application.url_map.iter_rules():
        path = rule.rule
        for argument in rule.arguments:
            is_id = f"<uuid:{argument}>" in path
            path = re.sub(rf"<(\w+:)?{argument}>", job if is_id else "a%00b", path)
        requests += [
            ("GET", f"{path}?{parameters}", None) for parameters in (query, "before=a%00b")
        ]
        for method in ("POST", "PUT", "DELETE"):
            if method in (rule.methods or ()):
                requests += [(method, path, form)]
    for method, path, data in requests:
        with client.open(path, method=method, data=data) as response:
            assert response.status_code < 500, (method, path, data, response.text)


SIDE = 50
TILES = [*range(1, SIDE * SIDE), 0]
ROWS = [TILES[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]
BOARD_LINES = "\n".join(" ".join(map(str, row)) for row in ROWS)
BATCHES = "/api/v1/batches"
CHECK, SCRAMBLE = "/api/v1/boards/check", "/api/v1/boards/scramble"
JSON_PATHS = [JOBS, BATCHES, CHECK, SCRAMBLE, "/api/v1/comparisons"]
FORM = {"content_type": "application/x-www-form-urlencoded"}
ITEMS = 50_000


def make_json_list(item: str, count: int = ITEMS) -> str:
    return f"[{','.join([item] * count)}]"


COSTLY_BODIES = [
    (make_json_list("[]"), "body-signs"),
    (make_json_list("[ 1 ]", ITEMS // 2), "body-signs"),
    (make_json_list("1"), "body-signs"),
    ("{" + ",".join(f'"a{n}":1' for n in range(10_000)) + "}", "body-signs"),
    (json.dumps({"board": "\n" * ITEMS}), "body-signs"),
    (make_json_list("9" * 4_000, 20), "body-digits"),
]
COSTLY_FORMS = [
    ("/jobs", "&".join(f"a{n}=1" for n in range(10_000))),
    ("/lab", "&" * 2 * SMALL_BYTES),
    ("/comparisons", "board=" + "%41" * SMALL_BYTES),
    ("/board/check", "board=" + "%2C" * SMALL_BYTES),
    ("/language", "&" * 2 * SMALL_BYTES),
]


def test_costly_bodies_and_forms_are_rejected(make_app: MakeApp) -> None:
    client = make_app(max_cells=400, max_batch=10).test_client()
    bodies = [(JOBS, *costly) for costly in COSTLY_BODIES]
    bodies += [(path, *COSTLY_BODIES[0]) for path in JSON_PATHS]
    for path, body, code in bodies:
        response = client.post(path, data=body, **JSON)
        assert response.status_code == 413
        assert response.json["type"] == "urn:tilework:problem:too-large"
        assert response.json["code"] in (code, "body-bytes"), (path, code)
    for path, form in COSTLY_FORMS:
        response = client.post(path, data=form, **FORM)
        assert (response.status_code, response.mimetype) == (413, "text/html"), path
    # JSON with one board has its own limit.
    body = json.dumps({"board": "1 2 3 0"}) + " " * 2 * SMALL_BYTES
    assert client.post(CHECK, data=body, **JSON).status_code == 413
    assert make_app().test_client().post(CHECK, data=body, **JSON).json["valid"]
    client = make_app(max_body_bytes=100).test_client()
    assert "100 bytes" in client.post(JOBS, data="x" * 101, **JSON).json["detail"]
    assert client.post(CHECK, data=f'{{"board": "{EASY_3X3}"}}'.ljust(100), **JSON).json["valid"]


def test_largest_board_and_its_goal_are_read(make_app: MakeApp) -> None:
    client = make_app(max_cells=SIDE**2).test_client()
    for document in (
        {"board": ROWS, "goal": ROWS},
        {"board": TILES, "goal": TILES},
        {"board": BOARD_LINES.replace("\n", "\r\n"), "goal": json.dumps(ROWS, indent=2)},
    ):
        for indent in (None, 4):
            body = json.dumps(document, indent=indent)
            verdict = client.post(CHECK, data=body, **JSON).json
            assert (verdict["valid"], verdict["is_goal"]) == (True, True)
    form = {"board": json.dumps(ROWS), "goal": "own", "goal_board": json.dumps(ROWS)}
    assert f"{SIDE}×{SIDE}" in client.post("/board/check", data=form).text


def test_long_number_is_found_anywhere() -> None:
    bounds, filler = BodyLimits(10 * SMALL_BYTES, {}), b"," * 3 * SMALL_BYTES
    for offset in (*range(SMALL_BYTES - 40, SMALL_BYTES + 2), 2 * SMALL_BYTES):
        for digits, costly in ((MAX_DIGITS, False), (MAX_DIGITS + 1, True)):
            body = filler[:offset] + b"7" * digits + filler[offset:]
            assert (find_costly_content(body, bounds) is not None) is costly, offset


def test_text_batches_are_limited(make_app: MakeApp) -> None:
    client = make_app(max_batch=3, max_cells=9).test_client()

    def send(text: str) -> Any:
        return client.post(BATCHES, data=text, content_type="text/plain").json

    assert send("1 2 3 0\n" * 4)["code"] == "batch-boards"
    assert send("\n" * 31 + "1 2 3 0")["code"] == "batch-lines"
    assert send("a 4 4 " + "1 " * 16)["errors"][0]["code"] == "many-tiles"
    assert send("1 " * 5_000)["errors"][0]["code"] == "text-length"
    assert send("\n" * 26 + "1 2 3 0\n" * 3)["total"] == 3


def test_values_of_another_type_are_rejected_with_a_pointer(client: FlaskClient) -> None:
    board = {"board": EASY_3X3}
    for path, body, field in (
        (SCRAMBLE, {}, "moves"),
        (JOBS, board, "width"),
        (BATCHES, {"boards": [EASY_3X3]}, "width"),
    ):
        for value in (True, "5", 5.0):
            response = client.post(path, json={**body, field: value})
            assert response.status_code == 422, (path, field, value)
            assert response.json["errors"][0]["pointer"] == f"/{field}"
    request = {**board, "target": "gap", "gap": 1, "time_limit_s": 5}
    for field in ("time_limit_s", "gap"):
        for value in (True, "5"):
            assert client.post(JOBS, json=request | {field: value}).status_code == 422
    for tile in (True, False, "0", 1.5, None):
        assert client.post(JOBS, json={"board": [tile, 2, 3, 0]}).status_code == 422
    assert client.post(JOBS, json=request).status_code == 202
    assert client.post(f"{BATCHES}?width=3&time_limit_s=5", json=[EASY_3X3]).status_code == 202
