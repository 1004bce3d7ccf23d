from itertools import cycle

from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, MakeApp
from tilework.web.assets import static_version

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


UNUSUAL_VALUES = [
    *("", "http://[::1", "http://[::1]:x", "[", "]:80", "://", "null", "a:99999999", "-1", "1e999"),
    *("bytes=", "bytes=9-1,--", 'W/"', '"' * 50, "*", ";q=", "en;q=nan, pt;q=inf", "en;q=1e400"),
    *("\x00", "\x7f", "é\xff", "=;=;==", "a" * 5_000, "charset=\x00; boundary="),
    *("text/plain; charset=no-such", "multipart/form-data", "multipart/form-data; boundary=b"),
    *("Thu, 32 Foo 99999 99:99:99 GMT", "Basic !!!", "Bearer \x80", "::1, 10.0.0.1:bad, ["),
]
NAMES = [
    *("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Length"),
    *("Content-Type", "Cookie", "Expect", "Forwarded", "Host", "Idempotency-Key"),
    *("If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "Origin", "Range", "Referer"),
    *("Sec-Fetch-Site", "Transfer-Encoding", "X-Forwarded-For", "X-Forwarded-Host"),
    "X-Forwarded-Proto",
]
REQUESTS = [
    ("GET", "/", {}),
    ("POST", "/api/v1/jobs", {"json": JOB}),
    ("GET", f"/static/{static_version()}/css/base.css", {}),
    ("POST", "/language", {"data": "next=%2F"}),
    ("GET", "/api/v1/queues", {}),
    ("GET", "/api/v1/nowhere", {}),
]


def test_no_header_breaks_a_response(make_app: MakeApp) -> None:
    client = make_app(trusted_proxies=1).test_client()
    requests = cycle(REQUESTS)
    for index, value in enumerate(UNUSUAL_VALUES):
        for name in NAMES[index % 2 :: 2]:
            method, path, body = next(requests)
            prefix = "" if name.startswith("Content-") else "HTTP_"
            headers = {prefix + name.upper().replace("-", "_"): value}
            with client.open(path, method=method, environ_overrides=headers, **body) as response:
                assert response.status_code < 500, (method, path, name, value)
        next(requests)  # so each header is sent with each request


def test_return_url_is_local_or_rejected(client: FlaskClient) -> None:
    def set_language(path: str):
        return client.post("/language", data={"next": path, "language": "pt"})

    for url in ("http://[::1", "https://evil.example/", "//evil.example", "/\\evil.example", "x"):
        assert (set_language(url).status_code, set_language(url).location) == (303, "/")
    for url in ("/jobs\r\nSet-Cookie: a=b", "/\n", "\r", "/a\x00", "/\x85"):
        assert set_language(url).status_code == 422
        assert "Set-Cookie" not in set_language(url).headers
