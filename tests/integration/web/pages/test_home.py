import json
import re
from html import unescape
from io import BytesIO

import numpy as np
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, PORTUGUESE, SOLVED_3X3, UNSOLVABLE_3X3, MakeApp
from tilework.web.assets import static_version

LOYD = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"
INVALID_FIELDS = [
    ({"board": " \n"}, "The board is empty"),
    ({"target": "gap", "gap": "-1"}, "Maximum gap, in percent: invalid value '-1'; use a number"),
    ({"target": "gap", "gap": "1e999"}, "invalid value '1e999'; use a finite number"),
    ({"time_limit_s": "-5"}, "Time limit: invalid value '-5'; use a number greater than 0"),
    ({"time_limit_s": "1e9"}, "Invalid time limit 1e+09 s"),
    ({"algorithm": "magic"}, "Invalid value 'magic'; use one of 'auto', "),
    ({"goal": "own", "goal_board": "1 2"}, "Goal: line 1, column 4"),
]


def read_error(page: str) -> str:
    """Return the text of the error notice, empty if there is none."""
    section = re.search(r'<div class="form-error".*?role="alert"[^>]*>(.*?)</div>', page, re.DOTALL)
    return unescape(re.sub("<[^>]*>", "", section[1])).strip()


def options_are_open(page: str) -> bool:
    return re.search(r'<details class="options"[^>]*>', page)[0].endswith(" open>")


def test_invalid_field_is_named_and_the_input_is_kept(client: FlaskClient) -> None:
    for fields, expected in INVALID_FIELDS:
        response = client.post("/jobs", data={"board": EASY_3X3} | fields)
        assert response.status_code == 422
        assert expected in read_error(response.text)
    portuguese = client.post("/jobs", data={"board": ""}, headers=PORTUGUESE)
    assert "O tabuleiro está vazio" in read_error(portuguese.text)
    assert re.search(r'<textarea id="board"[^>]*></textarea>', client.post("/jobs").text)
    response = client.post("/jobs", data={"board": "1 2 q", "goal": "spiral", "metric": "slides"})
    assert "1 2 q</textarea>" in response.text
    assert "Line 1, column 5: 'q' is not a tile" in read_error(response.text)
    assert '<option value="spiral" selected>' in response.text
    assert re.search(r'value="slides" checked', response.text)
    options = {"algorithm": "a-star", "heuristic": "manhattan", "time_limit_s": "3600"}
    board = " ".join(map(str, [*range(1, 25), 0]))
    response = client.post("/jobs", data={"board": board} | options)
    assert "A-star is limited to 16 cells" in read_error(response.text)
    for name in options.values():
        assert re.search(rf'<option value="{name}" selected>', response.text)
    # The options are expanded if one of them is not the default.
    assert options_are_open(response.text)
    page = client.get("/").text
    assert read_error(page) == ""
    assert not options_are_open(page)
    assert not options_are_open(client.post("/jobs", data={"board": "1 2 q"}).text)
    assert options_are_open(client.get("/?goal=spiral").text)


def test_fixes_of_unsolvable_boards_need_no_scripts(client: FlaskClient) -> None:
    error = read_error(client.post("/jobs", data={"board": LOYD}).text)
    assert "4×4: unsolvable." in error
    assert "1 is odd, so the goal cannot be reached." in error
    for remedy, board, goal in (
        ("blank-first", LOYD, " ".join(map(str, range(16)))),
        ("14 15", LOYD.replace("15 14", "14 15"), "blank-last"),
    ):
        response = client.post("/jobs", data={"board": LOYD, "remedy": remedy})
        assert response.status_code == 303
        page = client.get(response.location).text
        assert f'data-board="{board}"' in page
        assert f'data-goal="{goal}"' in page
    for remedy in ("14", "14 99", "spirals", "1 2 3", "x" * 100):
        response = client.post("/jobs", data={"board": LOYD, "remedy": remedy})
        assert response.status_code == 422
        assert "are not two tiles of the board" in read_error(response.text)


def check(client: FlaskClient, board: str, **fields: str) -> str:
    return client.post("/board/check", data={"board": board, "goal": "blank-last"} | fields).text


def test_board_is_checked_while_it_is_typed(client: FlaskClient, make_app: MakeApp) -> None:
    assert "contains no board" in check(client, "  \n")
    verdict = check(client, "0 1 3 4 2 5 7 8 6")
    assert "3×3: solvable." in verdict
    assert 'data-tiles="0 1 3 4 2 5 7 8 6"' in verdict
    assert "3×3: already solved." in check(client, SOLVED_3X3)
    batch = check(client, "1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n", several="yes")
    assert "2 boards will be solved as a batch." in batch
    assert "2×2: already solved." in check(client, "0 1 2 3", goal="blank-first")
    assert "0 misplaced tiles" in check(client, "1 2 0 3", goal="own", goal_board="1 2 0 3")
    assert "Goal:" in check(client, "1 2 0 3", goal="own", goal_board=SOLVED_3X3)
    assert ": unsolvable" in check(client, UNSOLVABLE_3X3)
    fault = check(client, "1 2 3\n4 q 5\n6 7 8")
    assert 'data-line="2" data-column="3"' in fault
    strict_client = make_app(max_cells=9).test_client()
    assert "up to 9 cells" in check(strict_client, " ".join(map(str, range(16))))


def make_npy(*rows: list[int]) -> bytes:
    file = BytesIO()
    np.save(file, np.array(rows, dtype=np.int16))
    return file.getvalue()


def test_files_become_text_with_and_without_scripts(client: FlaskClient) -> None:
    def upload(content: bytes, name: str):
        file = {"file": (BytesIO(content), name)}
        return client.post("/board/upload", data=file, content_type="multipart/form-data")

    def read_text(page: str) -> list[str]:
        return unescape(re.search(r'<textarea id="board"[^>]*>([^<]*)</textarea>', page)[1]).split()

    file = {"file": (BytesIO(make_npy([1, 2, 3, 4], [5, 6, 7, 0])), "board.npy")}
    assert client.post("/board/file", data=file).json == {"text": "4x2:\n1 2 3 4\n5 6 7 0"}
    response = upload(b"\xef\xbb\xbf1 2 3\r\n4 5 6\r\n0 7 8", "board.txt")
    assert (response.status_code, read_text(response.text)) == (200, EASY_3X3.split())
    for content, expected in (
        (b"", "'f.png' is empty"),
        (b"\x89PNG\r\n\x1a\n", "'f.png' is neither text nor a NumPy file"),
    ):
        response = upload(content, "f.png")
        assert response.status_code == 422
        assert expected in unescape(response.text)
    forms = re.findall(r"<noscript>(.*?)</noscript>", client.get("/").text, re.DOTALL)
    assert any('action="/board/upload"' in form for form in forms)


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
