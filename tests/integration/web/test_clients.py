from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from tilework.core.assembly import Services
from tilework.web.clients import CLIENT_COOKIE

JOB = {"board": "1 2 3 4 5 6 0 7 8"}


def test_looking_gives_no_cookie(client: FlaskClient) -> None:
    assert client.get("/api/v1/jobs").json == {"jobs": [], "next": None}
    assert client.get_cookie(CLIENT_COOKIE) is None


def test_the_first_job_makes_a_client_whose_cookie_scripts_and_other_sites_do_not_see(
    client: FlaskClient,
) -> None:
    answer = client.post("/api/v1/jobs", json=JOB)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert "Set-Cookie" not in client.post("/api/v1/jobs", json=JOB).headers
    assert len(client.get("/api/v1/jobs").json["jobs"]) == 2


def test_where_the_service_is_reached_by_https_only_the_cookie_is_too(make_app) -> None:
    answer = make_app(secure_cookies=True).test_client().post("/api/v1/jobs", json=JOB)
    assert "Secure" in answer.headers["Set-Cookie"]


def test_two_browsers_are_two_clients(app: Flask) -> None:
    first, second = app.test_client(), app.test_client()
    first.post("/api/v1/jobs", json=JOB)
    second.post("/api/v1/jobs", json=JOB)
    assert len(first.get("/api/v1/jobs").json["jobs"]) == 1


def test_a_cookie_that_was_changed_is_nobodys(app: Flask, client: FlaskClient) -> None:
    client.post("/api/v1/jobs", json=JOB)
    other = app.test_client()
    value = client.get_cookie(CLIENT_COOKIE).value
    other.set_cookie(CLIENT_COOKIE, value[:-2] + ("AA" if value[-2:] != "AA" else "BB"))
    assert other.get("/api/v1/jobs").json["jobs"] == []


def test_a_client_id_alone_is_not_a_cookie(app: Flask, client: FlaskClient) -> None:
    client.post("/api/v1/jobs", json=JOB)
    client_id = client.get_cookie(CLIENT_COOKIE).value.split(".")[0]
    other = app.test_client()
    other.set_cookie(CLIENT_COOKIE, client_id)
    assert other.get("/api/v1/jobs").json["jobs"] == []


def test_a_key_stands_for_its_client_and_gets_no_cookie(
    client: FlaskClient, services: Services
) -> None:
    _, secret = services.clients.create_key("laptop")
    headers = {"Authorization": f"Bearer {secret}"}
    answer = client.post("/api/v1/jobs", json=JOB, headers=headers)
    assert "Set-Cookie" not in answer.headers
    assert [job["id"] for job in client.get("/api/v1/jobs", headers=headers).json["jobs"]] == [
        answer.json["id"]
    ]
    assert client.get("/api/v1/jobs").json["jobs"] == []


def test_a_key_that_does_not_exist_is_refused(client: FlaskClient) -> None:
    for header in ("Bearer nonsense", "Bearer ", "Basic dXNlcjpwYXNz", "nonsense", "Bearer é"):
        answer = client.post("/api/v1/jobs", json=JOB, headers={"Authorization": header})
        assert answer.status_code == 401, header
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert answer.json["type"] == "urn:tilework:problem:authentication"


def test_a_revoked_key_is_refused(client: FlaskClient, services: Services) -> None:
    key, secret = services.clients.create_key("lost")
    services.clients.revoke_key(key.id)
    headers = {"Authorization": f"Bearer {secret}"}
    assert client.post("/api/v1/jobs", json=JOB, headers=headers).status_code == 401
