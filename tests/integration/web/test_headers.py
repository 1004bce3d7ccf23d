"""Headers hold whatever a client writes: each is answered, none with an error of ours."""

from __future__ import annotations

import random

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.integration.web.conftest import MakeApp
from tilework.web.assets.static_files import static_version

JOB = {"board": "1 2 3 4 5 6 0 7 8"}

STRANGE = [
    "",
    "http://[::1",
    "http://[::1]:x",
    "[",
    "]:80",
    "://",
    "null",
    "a:99999999",
    "-1",
    "1e999",
    "bytes=",
    "bytes=9-1,--",
    'W/"',
    '"' * 50,
    "*",
    ";q=",
    "en;q=nan, pt;q=inf",
    "en;q=1e400",
    "\x00",
    "\x7f",
    "é\xff",
    "=;=;==",
    "a" * 5_000,
    "charset=\x00; boundary=",
    "text/plain; charset=no-such",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "b" * 300,
    "Thu, 32 Foo 99999 99:99:99 GMT",
    "Basic !!!",
    "Bearer \x80",
    "::1, 10.0.0.1:bad, [",
]
NAMES = [
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Authorization",
    "Content-Length",
    "Content-Type",
    "Cookie",
    "Expect",
    "Forwarded",
    "HX-Request",
    "Host",
    "Idempotency-Key",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "Origin",
    "Range",
    "Referer",
    "Sec-Fetch-Site",
    "Transfer-Encoding",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
]
REQUESTS = [
    ("GET", "/"),
    ("GET", f"/static/{static_version()}/js/htmx.js"),
    ("GET", f"/static/{static_version()}/css/base.css"),
    ("GET", "/api/v1/queues"),
    ("GET", "/api/v1/nowhere"),
    ("POST", "/language"),
    ("POST", "/api/v1/jobs"),
]


@pytest.mark.parametrize("name", NAMES)
def test_no_header_breaks_an_answer(make_app: MakeApp, name: str) -> None:
    client = make_app(trusted_proxies=1).test_client()
    for place, value in enumerate(STRANGE):
        for method, path in REQUESTS[place % 2 :: 2]:
            environ = {f"HTTP_{name.upper().replace('-', '_')}": value}
            if name in ("Content-Type", "Content-Length"):
                environ = {name.upper().replace("-", "_"): value}
            body = {"data": "next=%2F"} if path == "/language" else {"json": JOB}
            sent = body if method == "POST" else {}
            with client.open(path, method=method, environ_overrides=environ, **sent) as answer:
                assert answer.status_code < 500, (method, path, name, value)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.dictionaries(
        st.sampled_from(NAMES),
        st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=40),
        max_size=4,
    ),
    seed=st.integers(0, 2**16),
)
def test_no_mixture_of_headers_does(client: FlaskClient, text: dict[str, str], seed: int) -> None:
    method, path = random.Random(seed).choice(REQUESTS)
    environ = {
        name.upper().replace("-", "_")
        if name.startswith("Content-")
        else f"HTTP_{name.upper().replace('-', '_')}": value
        for name, value in text.items()
    }
    with client.open(path, method=method, environ_overrides=environ) as answer:
        assert answer.status_code < 500


@pytest.mark.parametrize("origin", ["http://[::1", "[", "http://", "://", "a b"])
def test_an_origin_that_is_no_address_is_refused(client: FlaskClient, origin: str) -> None:
    for host in ("localhost", "["):
        headers = {"Origin": origin, "Host": host}
        assert client.post("/api/v1/jobs", json=JOB, headers=headers).status_code == 403


@pytest.mark.parametrize("back", ["/jobs\r\nSet-Cookie: a=b", "/\n", "\r", "/a\x00", "/\x85"])
def test_a_way_back_with_control_characters_is_refused(client: FlaskClient, back: str) -> None:
    answer = client.post("/language", data={"next": back, "language": "pt"})
    assert answer.status_code == 422
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("back", ["http://[::1", "//evil.example", "/\\evil.example", "[", ""])
def test_a_way_back_elsewhere_leads_home(client: FlaskClient, back: str) -> None:
    answer = client.post("/language", data={"next": back, "language": "pt"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
