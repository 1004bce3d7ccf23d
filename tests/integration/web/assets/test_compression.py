from __future__ import annotations

import gzip

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tilework.web.assets.static_files import static_version

FILES = [f"/static/{static_version()}/{name}" for name in ("css/base.css", "js/htmx.js")]
ADDRESSES = ["/", "/lab", "/openapi/openapi.json", *FILES]


@pytest.mark.parametrize("address", ADDRESSES)
def test_whoever_takes_gzip_gets_the_same_in_less(client: FlaskClient, address: str) -> None:
    plain = client.get(address)
    assert "Content-Encoding" not in plain.headers
    zipped = client.get(address, headers={"Accept-Encoding": "gzip, deflate"})
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.data) == plain.data
    assert len(zipped.data) < 0.5 * len(plain.data)
    assert int(zipped.headers["Content-Length"]) == len(zipped.data)
    for answer in (plain, zipped):
        assert "Accept-Encoding" in answer.headers["Vary"]


@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "gzip;q=0, br;q=0", "snappy", ""])
def test_who_takes_none_gets_it_plain(client: FlaskClient, accepted: str) -> None:
    answer = client.get("/", headers={"Accept-Encoding": accepted})
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers


def test_a_jobs_version_stays_what_its_clients_send_back(client: FlaskClient) -> None:
    taken = {"Accept-Encoding": "gzip, br, zstd"}
    board = " ".join(map(str, [*range(1, 400), 0]))
    made = client.post("/api/v1/jobs", json={"board": board}, headers=taken)
    answer = client.get(made.headers["Location"], headers=taken)
    again = client.get(
        made.headers["Location"], headers={**taken, "If-None-Match": answer.headers["ETag"]}
    )
    assert (answer.status_code, again.status_code) == (200, 304)


def test_a_stream_is_sent_as_it_is_written(app: Flask) -> None:
    app.add_url_rule("/stream", view_func=lambda: (str(n) * 500 for n in range(9)))
    answer = app.test_client().get("/stream", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
