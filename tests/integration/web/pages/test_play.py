import json
import re
from html import unescape

from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3
from tilework.web.assets import static_version

INVALID_BOARDS = [
    ({"board": "1 2 q"}, "'q' is not a tile"),
    ({"board": "21x1: " + " ".join(map(str, range(21)))}, "up to 20 × 20."),
]


def read_game(page: str) -> tuple[str, str, str]:
    """Return board, width and goal of the page."""
    match = re.search(r'id="play" data-board="(.*?)" data-width="(.*?)" data-goal="(.*?)"', page)
    return match[1], match[2], match[3]


def test_board_in_the_url_is_played(client: FlaskClient) -> None:
    for board, goal, expected in (
        (EASY_3X3, None, (EASY_3X3, "3", "blank-last")),
        ("[[1,2,3],[4,0,5]]", "blank-first", ("1 2 3 4 0 5", "3", "0 1 2 3 4 5")),
        ("2x3: 1 2 3 4 0 5", "2x3: 1 2 3 4 5 0", ("1 2 3 4 0 5", "2", "blank-last")),
    ):
        response = client.get("/play", query_string={"board": board, "goal": goal})
        assert response.status_code == 200
        assert read_game(response.text) == expected
    assert read_game(client.get("/play").text) == ("", "0", ""), "the browser chooses the board"
    response = client.get("/play", query_string={"board": UNSOLVABLE_3X3})
    assert response.status_code == 200
    assert "so the goal cannot be reached" in unescape(response.text)
    assert read_game(response.text)[0] == UNSOLVABLE_3X3
    for query, expected in INVALID_BOARDS:
        response = client.get("/play", query_string=query)
        assert response.status_code == 422
        assert expected in unescape(response.text)
        assert read_game(response.text) == ("", "0", "")


def test_service_worker_caches_exactly_what_the_page_loads(client: FlaskClient) -> None:
    response = client.get("/play/offline.js")
    assert response.mimetype == "text/javascript"
    assert response.headers["Service-Worker-Allowed"] == "/play"
    assert response.headers["Cache-Control"] == "no-cache"
    pattern = r'const VERSION = "([0-9a-f]{12})";\nconst FILES = (\[.*?\]);\n'
    match = re.match(pattern, response.text)
    version, files = match[1], json.loads(match[2])
    assert version == static_version()
    paths = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', client.get("/play").text))
    prefix = f"/static/{version}/"
    assert paths | {f"{prefix}pattern.svg"} == set(files)
    for path in files:
        with client.get(path) as file:
            assert file.status_code == 200
