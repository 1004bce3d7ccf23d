from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

PATHS = [
    "/",
    "/play",
    "/history",
    "/openapi",
    "/api/v1/queues",
    "/healthz",
    "/nowhere",
    "/api/v1/nowhere",
]
JOB = {"board": "1 2 3 4 5 6 0 7 8"}


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_the_strict_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]


def test_only_the_player_made_for_it_may_be_framed(client: FlaskClient) -> None:
    job = client.post("/jobs", data=JOB).location
    framed = client.get(f"/embed{job}").headers
    policy = framed["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "X-Frame-Options" not in framed
    absent = "/embed/jobs/01890000-0000-7000-8000-000000000000"
    for path in (*PATHS, absent, job, f"{job}/sheet", f"{job}/board.svg", f"/api/v1{job}"):
        own = client.get(path).headers
        assert own["X-Frame-Options"] == "DENY"
        # In all else the frame is as strict.
        plain = own["Content-Security-Policy"].replace("frame-ancestors 'none'", "")
        assert plain == policy.replace("frame-ancestors *", "")


def test_nothing_in_a_frame_changes_anything(app: Flask) -> None:
    writing = {"POST", "PUT", "PATCH", "DELETE"}
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/embed/")]
    assert rules
    assert not any(writing & rule.methods for rule in rules)


@pytest.mark.parametrize("path", PATHS)
def test_no_page_may_style_inline(client: FlaskClient, path: str) -> None:
    assert "unsafe-inline" not in client.get(path).headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/play", "/history", "/statistics", "/openapi", "/nowhere"])
def test_no_page_has_inline_scripts_styles_or_handlers(client: FlaskClient, path: str) -> None:
    page = client.get(path).text
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert "<style" not in page
    assert not re.search(r"\sstyle=", page)
    assert not re.search(r"\son[a-z]+=", page)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.elsewhere.example"},
    ],
)
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/jobs", {"json": JOB}),
        ("/api/v1/batches", {"data": "1 2 3 0", "content_type": "text/plain"}),
    ],
)
def test_a_page_of_another_site_cannot_write(
    client: FlaskClient, headers: dict[str, str], path: str, body: dict[str, object]
) -> None:
    answer = client.post(path, headers=headers, **body)
    assert answer.status_code == 403
    assert answer.json["type"] == "urn:tilework:problem:forbidden"
    assert client.get("/api/v1/statistics").json["total_jobs"] == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://localhost"},
        {},
    ],
)
def test_own_pages_and_programs_can_write(client: FlaskClient, headers: dict[str, str]) -> None:
    assert client.post("/api/v1/jobs", json=JOB, headers=headers).status_code == 202


def test_other_sites_may_link_here(client: FlaskClient) -> None:
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
