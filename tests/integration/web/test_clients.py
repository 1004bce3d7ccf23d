from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, MakeApp
from tilework.core.assembly import Services
from tilework.web.clients import CLIENT_COOKIE

JOBS = "/api/v1/jobs"
JOB = {"board": EASY_3X3}
CHECK = "/api/v1/boards/check"


def list_ids(client: FlaskClient, **options: object) -> list[str]:
    return [job["id"] for job in client.get(JOBS, **options).json["jobs"]]


def make_header(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def test_first_write_sets_a_protected_cookie(client: FlaskClient, make_app: MakeApp) -> None:
    assert client.get(JOBS).json == {"jobs": [], "next": None}
    assert client.get_cookie(CLIENT_COOKIE) is None
    cookie = client.post(JOBS, json=JOB).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert "Set-Cookie" not in client.post(JOBS, json=JOB).headers
    assert len(list_ids(client)) == 2
    response = make_app(secure_cookies=True).test_client().post(JOBS, json=JOB)
    assert "Secure" in response.headers["Set-Cookie"]


def test_changed_cookie_identifies_no_client(app: Flask, client: FlaskClient) -> None:
    client.post(JOBS, json=JOB)
    value = client.get_cookie(CLIENT_COOKIE).value
    other_client = app.test_client()
    other_client.post(JOBS, json=JOB)
    assert len(list_ids(client)) == len(list_ids(other_client)) == 1
    for cookie in (value[:-2] + ("AA" if value[-2:] != "AA" else "BB"), value.split(".")[0]):
        stranger = app.test_client()
        stranger.set_cookie(CLIENT_COOKIE, cookie)
        assert list_ids(stranger) == []
    copy = app.test_client()
    copy.set_cookie(CLIENT_COOKIE, value)
    assert list_ids(copy) == list_ids(client)


def test_key_identifies_its_client_until_revoked(client: FlaskClient, services: Services) -> None:
    key, secret = services.clients.create_key("laptop")
    response = client.post(JOBS, json=JOB, headers=make_header(secret))
    assert "Set-Cookie" not in response.headers
    assert list_ids(client, headers=make_header(secret)) == [response.json["id"]]
    assert list_ids(client) == []
    services.clients.revoke_key(key.id)
    for header in (f"Bearer {secret}", "Bearer nonsense", "Bearer ", "Basic dXNlcjpwYXNz", "é"):
        response = client.post(JOBS, json=JOB, headers={"Authorization": header})
        assert response.status_code == 401, header
        assert response.headers["WWW-Authenticate"] == "Bearer"
        assert response.json["type"] == "urn:tilework:problem:authentication"


def test_rate_limit_says_when_to_retry(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("tilework.web.limits.time", clock)
    client = make_app(rate_limit="2/minute").test_client()
    assert [client.post(CHECK, json=JOB).status_code for _ in range(2)] == [200, 200]
    now += 20.5
    response = client.post(CHECK, json=JOB)
    assert (response.status_code, response.json["type"]) == (429, "urn:tilework:problem:rate")
    assert response.headers["Retry-After"] == "40"
    now += 39
    assert client.post(CHECK, json=JOB).status_code == 429
    now += 1
    assert client.post(CHECK, json=JOB).status_code == 200
    assert [client.get(JOBS).status_code for _ in range(5)] == [200] * 5, "reading is not limited"


def test_each_key_and_address_has_its_own_rate(make_app: MakeApp) -> None:
    app = make_app(rate_limit="1/hour")
    client = app.test_client()
    keys = [app.extensions["tilework"].clients.create_key(name)[1] for name in ("one", "two")]
    responses = [client.post(CHECK, json=JOB, headers=make_header(key)) for key in keys * 2]
    assert [response.status_code for response in responses] == [200, 200, 429, 429]
    # Requests without a key are counted by address: anyone can get another cookie.
    addresses = {
        "192.0.2.1": 200,
        "::ffff:192.0.2.1": 429,
        "192.0.2.2": 200,
        "2001:db8::1": 200,
        "2001:db8::ffff:2": 429,
        "2001:db8:0:1::1": 200,
    }
    for address, status in addresses.items():
        stranger = app.test_client()
        responses = [
            stranger.post(JOBS, json=JOB, environ_base={"REMOTE_ADDR": address}) for _ in range(2)
        ]
        assert responses[0].status_code in ({200, 202} if status == 200 else {429}), address
        assert responses[1].status_code == 429, "even with the cookie of the first"


def test_service_works_without_its_rate_storage(make_app: MakeApp) -> None:
    app = make_app(rate_limit="2/hour", rate_storage_url="redis://127.0.0.1:1/0")
    client = app.test_client()
    responses = [client.post(CHECK, json=JOB) for _ in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429]
