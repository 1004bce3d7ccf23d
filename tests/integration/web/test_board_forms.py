"""Every form of boards is read alike by the API, the page, uploads and the command line."""

import json
import re
from html import unescape
from io import BytesIO

from flask.testing import FlaskClient

from tests.support.board_forms import FORMS, QUESTIONS
from tests.support.cli.runner import Run, tilework  # noqa: F401 - the fixture
from tilework.core.puzzle.board import Board

CHECK = "/api/v1/boards/check"
NO_BLANK = "5 1 2 4 / 9 6 3 8 / 13 10 7 11 / 14 15 12"


def tiles_of(rows: str) -> list[int]:
    return list(map(int, rows.replace("/", " ").split()))


def check_on_page(client: FlaskClient, text: str, **fields: str) -> str:
    return unescape(
        client.post("/board/check", data={"board": text, "goal": "blank-last", **fields}).text
    )


def test_every_form_is_read_alike_by_all(client: FlaskClient, tilework: Run) -> None:  # noqa: F811
    for form in FORMS[::6]:  # a unit test reads all of them
        tiles = tiles_of(form.rows)
        verdict = client.post(CHECK, json={"board": form.text}).json
        assert verdict["tiles"] == tiles, form.text
        assert form.note in (verdict["read_as"] or ""), form.text
        page = check_on_page(client, form.text)
        assert f'data-tiles="{" ".join(map(str, tiles))}"' in page, form.text
        assert ("Read as" in page) == bool(form.note), form.text
        for encoding in ("utf-8", "utf-16"):
            file = {"file": (BytesIO(form.text.encode(encoding)), "board.txt")}
            assert client.post("/board/file", data=file).json == {"text": form.text}
        outcome = tilework("check", "-", "--json", stdin=form.text)
        assert outcome.code in (0, 1), form.text
        assert (outcome.json["width"], outcome.json["height"]) == Board(
            [tiles_of(row) for row in form.rows.split("/")]
        ).size
        assert form.note in outcome.err, form.text


def test_questions_are_asked_by_all(client: FlaskClient, tilework: Run) -> None:  # noqa: F811
    for form in QUESTIONS:
        fixes = form.rows.split(" | ")
        fault = client.post(CHECK, json={"board": form.text}).json["fault"]
        assert fault["fixes"] == fixes
        problem = client.post("/api/v1/jobs", json={"board": form.text})
        assert (problem.status_code, problem.json["fixes"]) == (422, fixes)
        page = check_on_page(client, form.text)
        assert re.findall('data-text="([^"]*)"', page) == fixes
        assert all(fix in tilework("check", "-", stdin=form.text).err for fix in fixes)


def test_text_and_page_name_the_missing_blank_and_its_place(client: FlaskClient) -> None:
    for text in (NO_BLANK, NO_BLANK.replace(" / ", "\n")):
        page = check_on_page(client, text)
        assert "the blank is missing in row 4" in page
        # Behind the last tile, where the page marks the empty cell.
        last = text.splitlines()[-1]
        assert f"column {len(last) + 1}:" in page
        sketch = json.loads(re.search("data-invalid='([^']*)'|data-invalid=\"(.*?)\">", page)[2])
        assert sketch["mark"] == [3, 3]
        assert sketch["rows"][3] == ["14", "15", "12", ""]
        [fix] = re.findall('data-text="([^"]*)"', page)
        assert fix == f"{NO_BLANK} 0"
    assert "there is no blank among these 15 tiles" in check_on_page(
        client, NO_BLANK.replace("/", "")
    )


def test_unsolvable_boards_name_the_goals_that_they_can_reach(
    client: FlaskClient,
    tilework: Run,  # noqa: F811
) -> None:
    board = "1 2 3 / 8 0 4 / 7 6 5"  # the spiral
    problem = client.post("/api/v1/jobs", json={"board": board}).json
    goals = problem["reachable_goals"]
    assert "spiral" in goals
    verdict = client.post(CHECK, json={"board": board}).json
    assert (verdict["solvable"], verdict["reachable_goals"]) == (False, goals)
    assert re.findall('data-goal="([a-z-]+)">', check_on_page(client, board)) == goals
    outcome = tilework("solve", "-", stdin=board)
    assert outcome.code == 1
    for name in ("blank-last", "blank-first", "spiral", "columns", "descending"):
        solvable = client.post(CHECK, json={"board": board, "goal": name}).json["solvable"]
        assert (name in goals, f"--goal {name}" in outcome.err) == (solvable, solvable)
