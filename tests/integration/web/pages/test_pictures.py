import re
from html import unescape
from io import BytesIO
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient
from PIL import Image

from tests.integration.web.conftest import FARTHEST_3X3, DoWork
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

SVG = "{http://www.w3.org/2000/svg}"
ABSENT = "01890000-0000-7000-8000-000000000000"
PICTURES = ("board.svg", "preview.png", "thumbnail.png", "solution.gif", "qr.svg")
METHODS = ["breadth-first", "a-star:manhattan"]
MANY = {"kind": "sweep", "width": "3", "height": "3", "boards": "3", "moves": "8", "seed": "1"}


@pytest.fixture
def job(client: FlaskClient) -> str:
    return client.post("/jobs", data={"board": FARTHEST_3X3}).location


@pytest.fixture
def solve_job(job: str, work: DoWork) -> str:
    work()
    return job


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def numbers(picture: str) -> list[int]:
    return list(map(int, texts(picture)))


def test_picture_is_sent_once(client: FlaskClient, solve_job: str) -> None:
    for name in PICTURES:
        response = client.get(f"{solve_job}/{name}")
        assert response.status_code == 200
        assert response.mimetype.startswith("image/")
        assert "max-age" in response.headers["Cache-Control"]
        assert "Set-Cookie" not in response.headers
        repeated = client.get(
            f"{solve_job}/{name}", headers={"If-None-Match": response.headers["ETag"]}
        )
        assert (repeated.status_code, repeated.data) == (304, b"")
        assert client.get(f"/jobs/{ABSENT}/{name}").status_code == 404
    for path in (f"/jobs/{ABSENT}/sheet", f"/embed/jobs/{ABSENT}"):
        assert client.get(path).status_code == 404
    # An address with a name in it is only cached by browsers.
    directives = client.get(f"{solve_job}/qr.svg").headers["Cache-Control"].split(", ")
    assert "private" in directives
    assert "public" not in directives
    animation = client.get(f"{solve_job}/solution.gif")
    assert Image.open(BytesIO(animation.data)).n_frames == 32
    assert 'filename="tilework-3x3-31.gif"' in animation.headers["Content-Disposition"]


def test_board_is_drawn_as_given_and_after_any_move(client: FlaskClient, solve_job: str) -> None:
    dark = client.get(f"{solve_job}/board.svg?theme=dark").text
    first, last, beyond = (
        numbers(client.get(f"{solve_job}/board.svg{query}").text)
        for query in ("", "?move=31", "?move=999999999999")
    )
    assert dark != client.get(f"{solve_job}/board.svg").text
    assert first == numbers(dark) == [8, 6, 7, 2, 5, 4, 3, 1]
    assert last == beyond == list(range(1, 9))
    for query, expected in (
        ("move=-1", "'-1' is not a number of moves; use a whole number, 0 or more"),
        ("move=" + "9" * 99, "is not a number of moves"),
        ("light=grey", "'grey' is not available; choose from light, dark"),
    ):
        response = client.get(f"{solve_job}/board.svg?{query}")
        assert response.status_code == 422
        assert expected in unescape(response.text)


def test_without_a_solution_there_is_a_board_and_a_print_view(
    client: FlaskClient, job: str
) -> None:
    assert client.get(f"{job}/board.svg").status_code == 200
    assert client.get(f"{job}/board.svg?move=1").status_code == 409
    assert client.get(f"{job}/solution.gif").status_code == 409
    assert "There is no solution yet." in client.get(f"{job}/sheet").text
    assert client.get(f"/embed{job}").status_code == 200
    size = Size(13, 13)
    board = " ".join(map(str, scramble(size, blank_last(size), 1).cells))
    large = client.post("/jobs", data={"board": board}).location
    response = client.get(f"{large}/solution.gif")
    assert response.status_code == 422
    assert "13×13 boards are too large to animate" in unescape(response.text)
    assert numbers(client.get(f"{large}/board.svg").text) == []
    assert f'src="{large}/thumbnail.png"' in client.get("/history").text


def test_print_view_has_all_moves_in_groups(
    client: FlaskClient, solve_job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = client.get(f"{solve_job}/sheet").text
    moves = re.findall(r"<span>(\d+) ([↑↓←→])</span>", page)
    assert len(moves) == 31
    assert re.findall(r"<b>(\d+)</b>", page) == ["1", "6", "11", "16", "21", "26", "31"]
    # Played by hand, they solve the board.
    cells = [int(tile) for tile in FARTHEST_3X3.split()]
    for tile, arrow in moves:
        cell, blank = cells.index(int(tile)), cells.index(0)
        assert cell + {"↑": -3, "↓": 3, "←": -1, "→": 1}[arrow] == blank
        cells[cell], cells[blank] = 0, int(tile)
    assert cells == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    monkeypatch.setattr("tilework.web.pages.sharing.MAX_PRINTED_MOVES", 12)
    page = client.get(f"{solve_job}/sheet").text
    assert len(re.findall(r"<span>\d+ [↑↓←→]</span>", page)) == 12
    assert "The downloadable solution has 19 more moves." in page


def test_link_has_a_preview_and_a_frame_matches_its_snippet(
    client: FlaskClient, solve_job: str
) -> None:
    page = client.get(solve_job).text
    shown_lengths = r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"'
    tags = dict(re.findall(shown_lengths, page))
    assert tags["og:title"] == "31 moves — proven optimal · 3×3 board"
    assert tags["og:url"] == f"http://localhost{solve_job}"
    picture = client.get(tags["og:image"])
    size = (int(tags["og:image:width"]), int(tags["og:image:height"]))
    assert Image.open(BytesIO(picture.data)).size == size == (1200, 630)
    [snippet] = re.findall(r"<textarea[^>]*data-part=\"frame\">(.*?)</textarea>", page, re.DOTALL)
    [address] = re.findall(r'src="([^"]+)"', unescape(snippet))
    assert address == f"http://localhost/embed{solve_job}?lang=en"
    framed = client.get(unescape(address))
    assert "31 moves — proven optimal" in framed.text
    assert "<form" not in framed.text
    assert "Set-Cookie" not in framed.headers


def test_method_that_generates_more_has_the_longer_bar(client: FlaskClient, work: DoWork) -> None:
    def lengths(picture: str) -> list[int]:
        """Return the lengths of the bars, without their backgrounds."""
        bars = ElementTree.fromstring(picture).iter(f"{SVG}rect")
        return [int(element.attrib["width"]) for element in bars][1:]

    forms = ({"board": "8 1 3 4 0 2 7 6 5"}, MANY)
    places = [client.post("/comparisons", data=form | {"method": METHODS}) for form in forms]
    pictures = [f"{response.location}/nodes.svg" for response in places]
    assert all(lengths(client.get(picture).text) == [0, 0] for picture in pictures)
    work()
    for picture in pictures:
        response = client.get(picture)
        shown_lengths = dict(zip(texts(response.text)[1::2], lengths(response.text), strict=True))
        assert shown_lengths["Breadth-first search"] > shown_lengths["A* · Manhattan"] > 0
        same = client.get(picture, headers={"If-None-Match": response.headers["ETag"]})
        assert same.status_code == 304
    assert texts(client.get(f"{picture}?lang=pt").text)[0].startswith("Nós gerados")
    assert client.get(f"{picture}?light=grey").status_code == 422
    assert client.get(f"/comparisons/{ABSENT}/nodes.svg").status_code == 404
