from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3

PATHS = ["/", "/play", "/openapi", "/api/v1/queues", "/healthz", "/nowhere", "/api/v1/nowhere"]
JOB = {"board": EASY_3X3}
DIRECTIVES = ("script-src", "style-src", "font-src", "connect-src", "manifest-src", "form-action")
POLICY = {f"{kind} 'self'" for kind in DIRECTIVES}
POLICY |= {"default-src 'none'", "base-uri 'none'", "img-src 'self' data:"}
OTHER_SITES = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://elsewhere.example"},
    {"Origin": "http://localhost.elsewhere.example"},
    *({"Origin": origin} for origin in ("null", "http://[::1", "[", "http://", "://", "a b")),
]
OWN_SITES = [
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "http://localhost"},
    {},
]


def test_security_headers_allow_framing_only_of_the_embedded_page(client: FlaskClient) -> None:
    job = client.post("/jobs", data=JOB).location
    unknown_job = "/embed/jobs/01890000-0000-7000-8000-000000000000"
    for path in (*PATHS, unknown_job, job, f"{job}/sheet", f"{job}/board.svg", f"/api/v1{job}"):
        headers = client.get(path).headers
        policy = set(headers["Content-Security-Policy"].split("; "))
        assert policy == POLICY | {"frame-ancestors 'none'"}, path
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "camera=()" in headers["Permissions-Policy"]
    headers = client.get(f"/embed{job}").headers
    assert set(headers["Content-Security-Policy"].split("; ")) == POLICY | {"frame-ancestors *"}
    assert "X-Frame-Options" not in headers


def test_other_sites_can_link_but_not_write(client: FlaskClient) -> None:
    lines = {"data": "1 2 3 0", "content_type": "text/plain"}
    for headers in OTHER_SITES:
        for path, body in (("/api/v1/jobs", {"json": JOB}), ("/api/v1/batches", lines)):
            response = client.post(path, headers=headers, **body)
            assert response.status_code == 403, headers
            assert response.json["type"] == "urn:tilework:problem:forbidden"
        assert client.post("/jobs", headers=headers, data=JOB).status_code == 403
    assert client.get("/api/v1/statistics").json["total_jobs"] == 0
    assert client.get("/", headers=OTHER_SITES[0]).status_code == 200
    for headers in OWN_SITES:
        assert client.post("/api/v1/jobs", json=JOB, headers=headers).status_code == 202
