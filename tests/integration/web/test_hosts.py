from __future__ import annotations

from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import MakeApp

EVIL = {"Host": "evil.example"}
JOB = {"board": "1 2 3 4 5 6 0 7 8"}


@pytest.mark.parametrize(
    "path",
    ["", "/openapi/", "/openapi", "//statistics", "//evil.example/", "/static//css/none.css"],
)
def test_no_answer_leads_to_the_host_that_a_request_names(client: FlaskClient, path: str) -> None:
    answer = client.get("/", headers=EVIL, environ_overrides={"PATH_INFO": path})
    assert "Location" not in answer.headers
    assert "http://evil.example" not in answer.text


@pytest.mark.parametrize("path", ["/jobs", "//jobs"])
def test_an_old_address_leads_on_at_the_host_that_was_asked(client: FlaskClient, path: str) -> None:
    answer = client.get("/", headers=EVIL, environ_overrides={"PATH_INFO": path})
    assert answer.status_code == 301
    # As a browser reads it that is at another name than the one sent.
    assert urljoin("https://tiles.example/", answer.headers["Location"]) == (
        "https://tiles.example/history"
    )
    assert "evil.example" not in answer.text


def test_a_submission_leads_to_a_path(client: FlaskClient) -> None:
    answer = client.post("/api/v1/jobs", json=JOB, headers=EVIL)
    assert answer.status_code == 202
    assert answer.headers["Location"].startswith("/api/v1/jobs/")


@pytest.mark.parametrize(
    "host", ["tiles.example", "tiles.example:8080", "a.tiles.example.org", "tiles.example.org"]
)
def test_trusted_hosts_are_answered(make_app: MakeApp, host: str) -> None:
    client = make_app(trusted_hosts="tiles.example, .tiles.example.org").test_client()
    assert client.get("/", headers={"Host": host}).status_code == 200
    assert client.post("/api/v1/jobs", json=JOB, headers={"Host": host}).status_code == 202


@pytest.mark.parametrize(
    "host", ["evil.example", "tiles.example.evil.example", "xtiles.example.org", "", "[", "a b"]
)
def test_others_are_refused(make_app: MakeApp, host: str) -> None:
    client = make_app(trusted_hosts="tiles.example, .tiles.example.org").test_client()
    page = client.get("/", headers={"Host": host})
    assert page.status_code == 421
    refused = client.post("/api/v1/jobs", json=JOB, headers={"Host": host})
    assert refused.status_code == 421
    assert refused.json["type"] == "urn:tilework:problem:host"
    assert "tiles.example" in refused.json["detail"]
    # Who watches the process asks by its address.
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


def test_browsers_are_told_to_insist_on_https_where_it_is_spoken(make_app: MakeApp) -> None:
    client = make_app(hsts_s=3_600, trusted_proxies=1).test_client()
    secure = client.get("/", headers={"X-Forwarded-Proto": "https"})
    assert secure.headers["Strict-Transport-Security"] == "max-age=3600"
    assert "Strict-Transport-Security" not in client.get("/").headers


def test_and_only_where_the_operator_says_so(client: FlaskClient) -> None:
    answer = client.get("/", base_url="https://localhost")
    assert "Strict-Transport-Security" not in answer.headers
