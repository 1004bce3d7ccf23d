import csv
import io
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
    return re.findall(r'action="/history/([0-9a-f-]{36})/name', page)


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
        for change in ("name", "remove"):
            response = other_client.post(f"/history/{entry}/{change}", data={"name": "mine"})
            assert response.status_code == 404
    assert "Nothing here yet." in app.test_client().get("/history").text
    assert find_entries(client.get("/history").text) == list(entries.values())[::-1]
    response = client.get("/history?kind=jobs")
    assert response.status_code == 422
    expected = "'jobs' is not available; choose from job, batch, comparison, lab, game"
    assert expected in unescape(response.text)


def test_entry_can_be_renamed(client: FlaskClient, entries: dict[str, str]) -> None:
    for kind, entry in entries.items():
        name = f"  <b>{kind}</b>   of\tours "
        response = client.post(f"/history/{entry}/name?kind={kind}", data={"name": name})
        assert (response.status_code, response.location) == (303, f"/history?kind={kind}")
        assert f">&lt;b&gt;{kind}&lt;/b&gt; of ours<" in client.get(response.location).text
    client.post(f"/history/{entries['job']}/name", data={"name": "  "})
    assert ">3×3 board<" in client.get("/history?kind=job").text
    response = client.post(f"/history/{entries['job']}/name", data={"name": "n" * 81})
    assert response.status_code == 422
    assert 'data-refresh="/history"' in response.text
    assert "A name cannot have 81 characters; use at most 80." in unescape(response.text)
    assert find_entries(response.text) == list(entries.values())[::-1]
    assert response.text.count(f'value="{"n" * 81}"') == response.text.count('-more" open>') == 1


def test_files_contain_the_list(client: FlaskClient, entries: dict[str, str]) -> None:
    client.post(f"/history/{entries['game']}/name", data={"name": "=Ours, “first”"})
    response = client.get("/history.csv")
    assert "attachment" in response.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [row["id"] for row in rows] == list(entries.values())[::-1]
    assert rows[0] == rows[0] | {"kind": "game", "name": "'=Ours, “first”", "count": "2"}
    assert [row["page"] for row in rows] == [PAGES[row["kind"]] + row["id"] for row in rows]
    records = client.get("/history.json?kind=game").json["entries"]
    assert [(entry["name"], entry["width"]) for entry in records] == [("=Ours, “first”", 3)]
    expected = client.get("/api/v1/history").json["entries"]
    assert client.get("/history.json").json["entries"] == expected


def test_list_has_pages(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilework.web.pages.history.PAGE_SIZE", 2)
    client = app.test_client()
    boards = ["1 2 3 4 5 6 0 7 8", "1 2 3 4 5 6 7 0 8", "1 2 3 4 5 0 7 8 6"]
    urls = [client.post("/jobs", data={"board": board}).location for board in boards]
    job_ids = [url.rpartition("/")[2] for url in urls]
    first = client.get("/history?kind=job").text
    assert find_entries(first) == job_ids[:0:-1]
    [older_url] = re.findall(r'href="(/history\?kind=job&amp;before=[^"]+)"', first)
    assert find_entries(client.get(unescape(older_url)).text) == job_ids[:1]
    monkeypatch.setattr("tilework.web.pages.history.MAX_ENTRIES", 2)
    rows = csv.DictReader(io.StringIO(client.get("/history.csv?kind=job").text))
    assert [row["id"] for row in rows] == job_ids[::-1]
    statuses = [client.post(f"/history/{job_ids[1]}/remove").status_code for _ in range(2)]
    assert statuses == [303, 404]
    assert client.get(f"/jobs/{job_ids[1]}").status_code == 200
    assert find_entries(client.get("/history").text) == [job_ids[2], job_ids[0]]
