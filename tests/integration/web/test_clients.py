import re
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import (
    EASY_3X3,
    OPERATOR_LINK,
    OPERATOR_TOKEN,
    DoWork,
    MakeApp,
)
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


OPERATOR_URL = "/api/v1/operator"
QUEUE = f"{OPERATOR_URL}/suspensions/queue/interactive"


def test_operators_see_and_change_the_work_of_others(
    client: FlaskClient, operator: FlaskClient, services: Services, work: DoWork
) -> None:
    assert operator.put(QUEUE).status_code == 204
    job = client.post("/api/v1/jobs", json={"board": EASY_3X3, "priority": "low"}).json
    work()
    view = operator.get(OPERATOR_URL).json
    [queue] = [queue for queue in view["queues"] if queue["ready"]]
    assert (queue["name"], queue["suspended"]) == ("interactive", True)
    assert view["throughput"] == {"submitted": 1, "ended": 0, "nodes_per_s": 0.0}
    assert "Resume" in operator.get("/operator").text
    url = f"{OPERATOR_URL}/jobs/{job['id']}"
    response = operator.put(f"{url}/priority", json={"priority": "high"})
    assert (job["options"]["priority"], response.json["options"]["priority"]) == ("low", "high")
    operator.post("/operator", data={"action": "resume-queue", "name": "interactive"})
    work()
    assert client.get(f"/api/v1/jobs/{job['id']}").json["state"] == "optimal"
    assert operator.delete(url).json["state"] == "optimal"
    client_id = services.read.view(job["id"]).client_id
    operator.post("/operator", data={"action": "suspend-client", "name": client_id})
    services.clients._blocked_until = 0.0
    response = client.post("/api/v1/jobs", json={"board": EASY_3X3})
    assert (response.status_code, response.json["code"]) == (403, "client-blocked")
    for kind, name, status in (
        ("queue", "x", 422),
        ("worker", "x", 404),
        ("client", "x", 404),
        ("client", "\0", 404),
    ):
        assert (
            operator.put(f"{OPERATOR_URL}/suspensions/{kind}/{quote(name)}").status_code == status
        )
        response = operator.post("/operator", data={"action": f"suspend-{kind}", "name": name})
        assert response.status_code == 422
    for action in ("retry", "drop", "cancel", "priority-low", "priority-x", "x"):
        response = operator.post("/operator", data={"action": action, "name": "<b>"})
        assert (response.status_code, "<b>" in response.text) == (422, False)
    # The forms keep what was typed.
    for action, field in (("cancel", "job-id"), ("suspend-client", "client-id")):
        page = operator.post("/operator", data={"action": action, "name": "typed"}).text
        assert re.findall(r'id="([a-z-]+)" name="name" value="typed"', page) == [field]


def test_databases_are_requested_and_deleted(make_app: MakeApp) -> None:
    client = make_app(pdb_build=True, operator_token=OPERATOR_TOKEN).test_client()
    client.get(OPERATOR_LINK)
    url = f"{OPERATOR_URL}/databases/3x2-5"

    def read_states() -> dict[str, str]:
        return {item["name"]: item["state"] for item in client.get(OPERATOR_URL).json["databases"]}

    assert read_states()["4x4-7-8"] == "missing"
    assert client.delete(url).status_code == 404
    assert client.post(f"{url}/build").status_code == 204
    assert read_states()["3x2-5"] == "requested"
    assert client.post("/operator", data={"action": "delete", "name": "3x2-5"}).status_code == 303
    assert "3x2-5" not in read_states()
    for name, status in (("3x" + 5000 * "9", 422), ("4x4-7-8", 204)):
        assert client.post(f"{OPERATOR_URL}/databases/{name}/build").status_code == status
    assert client.post("/operator", data={"action": "build", "name": "x"}).status_code == 422
    assert read_states()["4x4-7-8"] == "requested"


def test_no_address_and_no_name_makes_an_operator(make_app: MakeApp) -> None:
    for options in ({}, {"trusted_proxies": 1}, {"operator_token": OPERATOR_TOKEN}):
        client = make_app(**options).test_client()
        for address in ("127.0.0.1", "::1", "192.0.2.1"):
            for host in ("localhost", "127.0.0.1:8000", "example.com"):
                request = {"environ_overrides": {"REMOTE_ADDR": address}, "headers": {"Host": host}}
                for response in (
                    client.get("/operator", **request),
                    client.get("/operator?token=", **request),
                    client.get(OPERATOR_URL, **request),
                    client.put(QUEUE, **request),
                    client.post("/operator", **request),
                    client.post("/operator/key", data={"key": OPERATOR_TOKEN}, **request),
                ):
                    assert response.status_code == 403


def test_link_opens_the_page_until_its_token_changes(make_app: MakeApp) -> None:
    client = make_app(operator_token=OPERATOR_TOKEN).test_client()
    response = client.get(OPERATOR_LINK)
    assert (response.status_code, response.location) == (303, "/operator"), "without the token"
    assert "SameSite=Strict" in response.headers["Set-Cookie"]
    assert "HttpOnly" in response.headers["Set-Cookie"]
    assert OPERATOR_TOKEN not in response.headers["Set-Cookie"]
    assert client.get("/operator").status_code == client.get(OPERATOR_URL).status_code == 200
    assert client.put(QUEUE).status_code == 204
    cookie = client.get_cookie("tilework_operator").value
    for token in ("another", None):
        changed = make_app(operator_token=token).test_client()
        changed.set_cookie("tilework_operator", cookie)
        assert changed.get("/operator").status_code == changed.get(OPERATOR_URL).status_code == 403
        response = changed.get(OPERATOR_LINK)
        assert response.status_code == 403
        assert "link is not valid" in response.text


def test_keys_with_the_role_open_the_page(
    app: Flask, client: FlaskClient, services: Services
) -> None:
    program_key, secret = services.clients.create_key("program")
    key, operator_secret = services.clients.create_key("operator", operator=True)
    statuses = {None: 403, secret: 403, "tw_unknown": 401, operator_secret: 200}
    for given, status in statuses.items():
        headers = {} if given is None else {"Authorization": f"Bearer {given}"}
        assert client.get(OPERATOR_URL, headers=headers).status_code == status
        response = client.post("/operator/key", data={"key": given or ""})
        assert (response.status_code == 303) == (status == 200)
    assert "SameSite=Strict" in response.headers["Set-Cookie"]
    assert client.get("/operator").status_code == client.get(OPERATOR_URL).status_code == 200
    changed_cookie = client.get_cookie("tilework_operator").value[:-1]
    stranger = app.test_client()
    stranger.set_cookie("tilework_operator", changed_cookie)
    assert stranger.get("/operator").status_code == 403
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert client.post("/operator", headers=foreign).status_code == 403
    for revoked in (program_key, key):
        services.clients.revoke_key(revoked.id)
    assert client.get("/operator").status_code == client.get(OPERATOR_URL).status_code == 403
