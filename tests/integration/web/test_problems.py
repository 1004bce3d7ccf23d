import re
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from tests.integration.web.conftest import EASY_3X3, OPERATOR_LINK, OPERATOR_TOKEN, MakeApp
from tilework.core.errors import DamagedFileError, DatabaseUnavailableError
from tilework.core.model.states import SuspensionKind
from tilework.core.storage.database import Database
from tilework.web.problems import MEDIA_TYPE

JOBS = "/api/v1/jobs"
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"
BOARD = "1 2 3 0"
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
    (make_post(json={"board": BOARD, "bord": 1}), 422, "fields"),
    (make_post(json={"board": BOARD, "time_limit_s": 1e30}), 422, "option"),
    (make_post(json={"board": BOARD, "algorithm": "ida-star", "metric": "slides"}), 422, "option"),
    (make_post(json={"board": BOARD, "heuristic": "hamming"}), 422, "option"),
    (make_post(json={"board": "1 2 x y"}), 422, "board-syntax"),
    (make_post(json={"board": [1, 2, 3, 10**400]}), 422, "board"),
    (make_post(json={"board": BOARD, "goal": "nowhere"}), 422, "board-syntax"),
    (make_post(json={"board": "2 1 3 0"}), 422, "unsolvable"),
    (make_post(json={"board": [*range(1, 26), 0], "width": 13}), 422, "board"),
    (make_post(json={"board": BOARD}, headers={"Idempotency-Key": "k" * 256}), 422, "fields"),
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
    response = client.post(JOBS, json={"board": BOARD, "target": "best", "time_limit_s": "x"})
    assert {error["pointer"] for error in response.json["errors"]} == {"/target", "/time_limit_s"}
    assert "'best'" in response.json["detail"]
    problem = client.post(JOBS, json={"board": BOARD, "target": "gap"}).json
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
