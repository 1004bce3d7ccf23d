"""A job's pictures, sheet and frame over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from io import BytesIO
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient
from PIL import Image

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

Work = Callable[[], None]

ABSENT = "/jobs/01890000-0000-7000-8000-000000000000"
PICTURES = ("board.svg", "preview.png", "solution.gif", "qr.svg", "sheet")
FARTHEST_3X3 = "8 6 7 2 5 4 3 0 1"


@pytest.fixture
def job(client: FlaskClient) -> str:
    return client.post("/jobs", data={"board": FARTHEST_3X3}).location


@pytest.fixture
def solved(job: str, work: Work) -> str:
    work()
    return job


@pytest.mark.parametrize("name", PICTURES)
def test_a_job_that_is_not_there_has_no_pictures(client: FlaskClient, name: str) -> None:
    assert client.get(f"{ABSENT}/{name}").status_code == 404
    assert client.get(f"/embed{ABSENT}").status_code == 404


@pytest.mark.parametrize("name", PICTURES[:4])
def test_a_picture_comes_once(client: FlaskClient, solved: str, name: str) -> None:
    answer = client.get(f"{solved}/{name}")
    assert answer.status_code == 200
    assert answer.mimetype.startswith("image/")
    assert "max-age" in answer.headers["Cache-Control"]
    assert "Set-Cookie" not in answer.headers
    again = client.get(f"{solved}/{name}", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_board_is_drawn_as_given_and_after_any_move(client: FlaskClient, solved: str) -> None:
    dark = client.get(f"{solved}/board.svg?light=dark").text
    first, last, beyond = (
        numbers(client.get(f"{solved}/board.svg{query}").text)
        for query in ("", "?move=31", "?move=999999999999")
    )
    assert dark != client.get(f"{solved}/board.svg").text
    assert first == numbers(dark) == [8, 6, 7, 2, 5, 4, 3, 1]
    assert last == beyond == list(range(1, 9))


def numbers(picture: str) -> list[int]:
    tree = ElementTree.fromstring(picture)
    return [int(text.text or "") for text in tree.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("move=-1", "'-1' is no number of moves; give a whole number from 0 on"),
        ("move=1e3", "'1e3' is no number of moves"),
        ("move=" + "9" * 99, "is no number of moves"),
        ("light=grey", "'grey' is not available; choose from light, dark"),
    ],
)
def test_what_is_asked_for_wrongly_is_told(
    client: FlaskClient, job: str, query: str, words: str
) -> None:
    answer = client.get(f"{job}/board.svg?{query}")
    assert answer.status_code == 422
    assert words in unescape(answer.text)


def test_without_a_solution_there_is_a_board_and_a_sheet(client: FlaskClient, job: str) -> None:
    assert client.get(f"{job}/board.svg").status_code == 200
    assert client.get(f"{job}/board.svg?move=1").status_code == 409
    assert client.get(f"{job}/solution.gif").status_code == 409
    assert "There is no solution yet." in client.get(f"{job}/sheet").text
    assert client.get(f"/embed{job}").status_code == 200


def test_an_animation_has_a_frame_a_move(client: FlaskClient, solved: str) -> None:
    answer = client.get(f"{solved}/solution.gif")
    assert Image.open(BytesIO(answer.data)).n_frames == 32
    assert 'filename="tilework-3x3-31.gif"' in answer.headers["Content-Disposition"]


def test_a_board_too_large_to_be_animated_says_so(client: FlaskClient) -> None:
    size = Size(13, 13)
    board = " ".join(map(str, scramble(size, blank_last(size), 1).cells))
    job = client.post("/jobs", data={"board": board}).location
    answer = client.get(f"{job}/solution.gif")
    assert answer.status_code == 422
    assert "a board of 13×13 is too large to be animated" in unescape(answer.text)
    assert len(numbers(client.get(f"{job}/board.svg").text)) == 0


def test_the_sheet_has_all_moves_in_groups(client: FlaskClient, solved: str) -> None:
    page = client.get(f"{solved}/sheet").text
    moves = re.findall(r"<span>(\d+) ([↑↓←→])</span>", page)
    assert len(moves) == 31
    assert re.findall(r"<b>(\d+)</b>", page) == ["1", "6", "11", "16", "21", "26", "31"]
    # Followed by hand, they solve the board.
    cells = [int(tile) for tile in FARTHEST_3X3.split()]
    for tile, arrow in moves:
        place, blank = cells.index(int(tile)), cells.index(0)
        assert place + {"↑": -3, "↓": 3, "←": -1, "→": 1}[arrow] == blank
        cells[place], cells[blank] = 0, int(tile)
    assert cells == [1, 2, 3, 4, 5, 6, 7, 8, 0]


def test_a_sheet_is_some_pages_at_most(
    client: FlaskClient, solved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilework.web.pages.jobs.sheet.MOST_MOVES", 12)
    page = client.get(f"{solved}/sheet").text
    assert len(re.findall(r"<span>\d+ [↑↓←→]</span>", page)) == 12
    assert "19 more moves are in the file with the solution." in page


def test_a_link_is_previewed_with_words_and_a_picture(client: FlaskClient, solved: str) -> None:
    page = client.get(solved).text
    told = r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"'
    tags = dict(re.findall(told, page))
    assert tags["og:title"] == "31 moves, none shorter · 3×3 board"
    assert tags["og:url"] == f"http://localhost{solved}"
    assert tags["twitter:card"] == "summary_large_image"
    picture = client.get(tags["og:image"])
    size = (int(tags["og:image:width"]), int(tags["og:image:height"]))
    assert Image.open(BytesIO(picture.data)).size == size == (1200, 630)


def test_an_address_with_a_name_in_it_is_kept_by_browsers_alone(
    client: FlaskClient, job: str
) -> None:
    kept = client.get(f"{job}/qr.svg").headers["Cache-Control"]
    assert "private" in kept
    assert "public" not in kept


def test_too_many_at_once_are_told_to_come_again(
    client: FlaskClient, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "tilework.web.pages.jobs.pictures"
    monkeypatch.setattr(f"{module}._PATIENCE_S", 0.01)
    monkeypatch.setattr(f"{module}._AT_ONCE._value", 0)
    answer = client.get(f"{job}/preview.png")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"


def test_the_frame_is_as_its_snippet_says(client: FlaskClient, solved: str) -> None:
    page = client.get(solved).text
    [snippet] = re.findall(r"<textarea[^>]*data-part=\"frame\">(.*?)</textarea>", page, re.DOTALL)
    [address] = re.findall(r'src="([^"]+)"', unescape(snippet))
    assert address == f"http://localhost/embed{solved}?lang=en"
    framed = client.get(unescape(address))
    assert "31 moves, none shorter" in framed.text
    assert "<form" not in framed.text
    assert "Set-Cookie" not in framed.headers
