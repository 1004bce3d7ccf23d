import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3

PAGES = {"job": "/jobs/", "batch": "/batches/", "comparison": "/comparisons/"}
PAGES |= {"lab": "/lab/", "game": "/analyses/"}


@pytest.fixture
def entries(client: FlaskClient) -> dict[str, str]:
    """The id of an entry of each kind, in the order of the requests."""
    board = {"board": EASY_3X3}
    batch = client.post("/api/v1/batches", json={"boards": [EASY_3X3, EASY_3X3]}).json["id"]
    urls = {
        "job": client.post("/jobs", data=board).location,
        "comparison": client.post("/comparisons", data=board | {"method": "depth-first"}).location,
        "lab": client.post("/lab", data=board).location,
        "game": client.post("/analyses", data=board | {"moves": "LL"}).location,
    }
    return {"batch": batch} | {kind: path.rpartition("/")[2] for kind, path in urls.items()}


def find_entries(page: str) -> list[str]:
    return re.findall(r'class="job-line" href="/[a-z]+/([0-9a-f-]{36})"', page)


def test_own_requests_are_listed(app: Flask, client: FlaskClient, entries: dict[str, str]) -> None:
    assert find_entries(client.get("/history").text) == list(entries.values())[::-1]
    for kind, path in PAGES.items():
        page = client.get(f"/history?kind={kind}").text
        assert find_entries(page) == [entries[kind]]
        assert f'href="{path}{entries[kind]}"' in page
    other_client = app.test_client()
    other_client.post("/jobs", data={"board": "1 2 3 4 5 6 7 0 8"})
    page = other_client.get("/history").text
    assert len(find_entries(page)) == 1
    for entry in entries.values():
        assert entry not in page
    assert "Nothing here yet." in app.test_client().get("/history").text
    assert find_entries(client.get("/history").text) == list(entries.values())[::-1]
    response = client.get("/history?kind=jobs")
    assert response.status_code == 422
    expected = "'jobs' is not available; did you mean job?"
    assert expected in unescape(response.text)
