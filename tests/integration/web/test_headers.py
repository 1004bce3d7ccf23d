from itertools import cycle

from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, MakeApp
from tilework.web.assets import static_version

JOB = {"board": EASY_3X3}

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
