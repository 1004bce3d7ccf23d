import re
from html import unescape
from io import BytesIO
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from tests.integration.web.conftest import EASY_3X3, FARTHEST_3X3, SOLVED_3X3, DoWork
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

FORM = re.compile(r'<form method="post" action="/jobs/([^"]+)/again" data-part="again"( hidden)?>')
UNKNOWN_JOB = "/jobs/01890000-0000-7000-8000-000000000000"
FIELDS = ("board", "goal", "options")
OPTIONS = {"board": "6 8 7 2 5 4 3 0 1", "goal": "spiral", "algorithm": "ida-star"}
OPTIONS |= {"heuristic": "linear-conflict", "target": "gap", "gap": "2.5", "time_limit_s": "60"}


def make_job(client: FlaskClient, board: str = EASY_3X3, **fields: str) -> str:
    response = client.post("/jobs", data={"board": board} | fields)
    assert response.status_code == 303, response.text
    return response.location


def cancel_job(client: FlaskClient, **fields: str) -> str:
    job = make_job(client, **{"board": FARTHEST_3X3} | fields)
    assert client.delete(f"/api/v1{job}").status_code == 200
    return job


def can_be_continued(client: FlaskClient, job: str) -> bool:
    form = FORM.search(client.get(job).text)
    assert form[1] in job
    return form[2] is None


def test_certificate_and_moves_need_no_scripts(client: FlaskClient, work: DoWork) -> None:
    def read_moves(page: str) -> str:
        arrows = re.findall(r'<li><a href="#move=\d+">\d+ ([↑↓←→])</a></li>', page)
        return "".join("UDLR"["↑↓←→".index(arrow)] for arrow in arrows)

    hidden_part = re.compile(r'data-part="certificate"[^>]* hidden>')
    jobs = [make_job(client, "1 2 3 4 5 0 6 7 8"), make_job(client, FARTHEST_3X3, target="any")]
    for job in jobs:
        page = client.get(job).text
        assert hidden_part.search(page)
        assert not read_moves(page)
    work()
    for job in jobs:
        page = client.get(job).text
        assert not hidden_part.search(page)
        assert f'href="/api/v1{job}/certificate"' in page
        assert read_moves(page) == client.get(f"/api/v1{job}/solution?format=udlr").text.strip()
    assert len(read_moves(client.get(jobs[0]).text)) == 13


def test_search_can_be_continued_by_any_reader(app: Flask, client: FlaskClient) -> None:
    for fields in (OPTIONS, {"target": "optimal", "metric": "slides"}):
        job = cancel_job(client, **fields)
        assert can_be_continued(client, job)
        guest = app.test_client()
        response = guest.post(f"{job}/again")
        assert response.status_code == 303
        assert response.location == job
        latest = guest.get("/api/v1/jobs?limit=1").json["jobs"][0]
        old_job = client.get(f"/api/v1{job}").json
        new_job = client.get(latest["links"]["self"]).json
        assert old_job["id"] != new_job["id"]
        assert {name: new_job[name] for name in FIELDS} == {name: old_job[name] for name in FIELDS}
        assert (old_job["state"], new_job["state"]) == ("cancelled", "queued")
        assert f"/jobs/{new_job['id']}" in guest.get("/history").text
        # The old URL now shows the new job to everyone.
        assert 'data-part="cancel"' in guest.get(job).text
        assert f'data-url="/api/v1/jobs/{new_job["id"]}"' in client.get(job).text
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        assert client.post(f"{job}/again", headers=headers).status_code == 403
    assert client.post(f"{UNKNOWN_JOB}/again").status_code == 404


def test_finished_search_cannot_be_continued(client: FlaskClient, work: DoWork) -> None:
    options = [{}, {"target": "any"}, {"target": "gap", "gap": "900"}]
    options += [{"algorithm": "constructive"}]
    jobs = [make_job(client, FARTHEST_3X3, **fields) for fields in options]
    assert not any(can_be_continued(client, job) for job in jobs)
    work()
    assert all(client.get(f"/api/v1{job}").json["finished_at"] for job in jobs)
    assert not any(can_be_continued(client, job) for job in jobs)
    solved_job = make_job(client, SOLVED_3X3)
    work()
    assert "no solution yet" not in client.get(f"{solved_job}/sheet").text


SVG = "{http://www.w3.org/2000/svg}"
UNKNOWN_ID = "01890000-0000-7000-8000-000000000000"
PICTURES = ("board.svg", "preview.png", "thumbnail.png", "solution.gif", "qr.svg")


@pytest.fixture
def job(client: FlaskClient) -> str:
    return client.post("/jobs", data={"board": FARTHEST_3X3}).location


@pytest.fixture
def solved_job(job: str, work: DoWork) -> str:
    work()
    return job


def read_texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def read_numbers(picture: str) -> list[int]:
    return list(map(int, read_texts(picture)))


def test_pictures_can_be_cached(client: FlaskClient, solved_job: str) -> None:
    for name in PICTURES:
        response = client.get(f"{solved_job}/{name}")
        assert response.status_code == 200
        assert response.mimetype.startswith("image/")
        assert "max-age" in response.headers["Cache-Control"]
        assert "Set-Cookie" not in response.headers
        tag = {"If-None-Match": response.headers["ETag"]}
        response = client.get(f"{solved_job}/{name}", headers=tag)
        assert (response.status_code, response.data) == (304, b"")
        assert client.get(f"/jobs/{UNKNOWN_ID}/{name}").status_code == 404
    for path in (f"/jobs/{UNKNOWN_ID}/sheet", f"/embed/jobs/{UNKNOWN_ID}"):
        assert client.get(path).status_code == 404
    # The QR code contains the name of the host, so only browsers may cache it.
    directives = client.get(f"{solved_job}/qr.svg").headers["Cache-Control"].split(", ")
    assert "private" in directives
    assert "public" not in directives
    animation = client.get(f"{solved_job}/solution.gif")
    assert Image.open(BytesIO(animation.data)).n_frames == 32
    assert 'filename="tilework-3x3-31.gif"' in animation.headers["Content-Disposition"]


def test_board_is_drawn_as_given_and_after_any_move(client: FlaskClient, solved_job: str) -> None:
    dark_picture = client.get(f"{solved_job}/board.svg?theme=dark").text
    first, last, after_end = (
        read_numbers(client.get(f"{solved_job}/board.svg{query}").text)
        for query in ("", "?move=31", "?move=999999999999")
    )
    assert dark_picture != client.get(f"{solved_job}/board.svg").text
    assert first == read_numbers(dark_picture) == [8, 6, 7, 2, 5, 4, 3, 1]
    assert last == after_end == list(range(1, 9))
    for query in ("move=-1", "move=" + "9" * 99, "theme=grey"):
        assert client.get(f"{solved_job}/board.svg?{query}").status_code == 422


def test_unsolved_job_has_a_board_and_a_print_view(client: FlaskClient, job: str) -> None:
    assert client.get(f"{job}/board.svg").status_code == 200
    assert client.get(f"{job}/board.svg?move=1").status_code == 409
    assert client.get(f"{job}/solution.gif").status_code == 409
    assert "There is no solution yet." in client.get(f"{job}/sheet").text
    assert client.get(f"/embed{job}").status_code == 200
    size = Size(13, 13)
    board = " ".join(map(str, scramble(size, blank_last(size), 1).cells))
    large_job = client.post("/jobs", data={"board": board}).location
    response = client.get(f"{large_job}/solution.gif")
    assert response.status_code == 422
    assert "13×13 boards are too large to animate" in unescape(response.text)
    assert read_numbers(client.get(f"{large_job}/board.svg").text) == []
    assert f'src="{large_job}/thumbnail.png"' in client.get("/history").text


def test_print_view_has_all_moves_in_groups(
    client: FlaskClient, solved_job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = client.get(f"{solved_job}/sheet").text
    moves = re.findall(r"<span>(\d+) ([↑↓←→])</span>", page)
    assert len(moves) == 31
    assert re.findall(r"<b>(\d+)</b>", page) == ["1", "6", "11", "16", "21", "26", "31"]
    # The moves solve the board.
    cells = [int(tile) for tile in FARTHEST_3X3.split()]
    for tile, arrow in moves:
        cell, blank = cells.index(int(tile)), cells.index(0)
        assert cell + {"↑": -3, "↓": 3, "←": -1, "→": 1}[arrow] == blank
        cells[cell], cells[blank] = 0, int(tile)
    assert cells == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    monkeypatch.setattr("tilework.web.pages.jobs.MAX_PRINTED_MOVES", 12)
    page = client.get(f"{solved_job}/sheet").text
    assert len(re.findall(r"<span>\d+ [↑↓←→]</span>", page)) == 12
    assert "19 more moves follow; download the solution to see them all." in page


def test_link_preview_and_embedding_snippet(client: FlaskClient, solved_job: str) -> None:
    page = client.get(solved_job).text
    pattern = r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"'
    tags = dict(re.findall(pattern, page))
    assert tags["og:title"] == "31 moves — proven optimal · 3×3 board"
    assert tags["og:url"] == f"http://localhost{solved_job}"
    picture = client.get(tags["og:image"])
    size = (int(tags["og:image:width"]), int(tags["og:image:height"]))
    assert Image.open(BytesIO(picture.data)).size == size == (1200, 630)
    [snippet] = re.findall(r"<textarea[^>]*data-part=\"frame\">(.*?)</textarea>", page, re.DOTALL)
    [url] = re.findall(r'src="([^"]+)"', unescape(snippet))
    assert url == f"http://localhost/embed{solved_job}?lang=en"
    frame = client.get(unescape(url))
    assert "31 moves — proven optimal" in frame.text
    assert "<form" not in frame.text
    assert "Set-Cookie" not in frame.headers
