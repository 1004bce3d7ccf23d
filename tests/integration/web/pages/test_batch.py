import csv
import io
import re

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import DoWork, MakeApp
from tilework.core.model.ids import new_id
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

LINES = "1 2 3 4 5 6 7 0 8\n1 2 q\n3x2: 1 2 3 4 0 5\n2 1 3 4 5 6 7 8 0\n"


def read_rows(page: str) -> list[list[str]]:
    """Return the text of each cell of the table, by row; pictures have no text."""
    body = re.search(r"<tbody>(.*)</tbody>", page, re.DOTALL)
    html = re.sub(r"<svg.*?</svg>", "", body[1], flags=re.DOTALL)
    return [
        [
            " ".join(re.sub("<[^>]*>", " ", cell).split())
            for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    ]


def test_several_boards_become_a_batch(client: FlaskClient, work: DoWork) -> None:
    response = client.post("/jobs", data={"board": LINES})
    assert response.status_code == 303
    page = client.get(response.location).text
    for expected in ("3 boards", "Line 2 was skipped", "1 of 3 done", 'data-refresh-seconds="2"'):
        assert expected in page
    work()
    page = client.get(response.location).text
    assert "optimal: 2" in page
    assert "<b>2 of 3</b> proven optimal" in page
    assert re.search(r"Done in [\d.]+ m?s; search time in total: [\d.]+ m?s\.", page)
    assert "data-refresh" not in page
    table = read_rows(page)
    lines = [(row[0], row[1], row[3]) for row in table]
    assert lines == [("1", "3×3", "1"), ("2", "3×2", "1"), ("3", "3×3", "–")]
    assert table[2][2] == "failed Why? This 3×3 board cannot reach its goal."
    for job in re.findall(r'href="(/jobs/[0-9a-f-]{36})"', page):
        assert client.get(job).status_code == 200
    matches = re.findall(r'href="(/api/v1/batches/[^"]+/results\?format=\w+)"', page)
    texts = {path.rpartition("=")[2]: client.get(path).text for path in matches}
    assert texts["udlr"] == texts["runs"] == "L\nL\n\n"
    assert len(texts["csv"].splitlines()) == 4
    assert len(texts["jsonl"].splitlines()) == 3


def test_table_has_the_numbers_of_the_exports(client: FlaskClient, work: DoWork) -> None:
    boards = ["8 6 7 2 5 4 3 0 1", "6 4 7 8 5 0 3 2 1", "1 2 3 4 5 0 6 7 8"]
    location = client.post("/jobs", data={"board": "\n".join(boards)}).location
    work()
    exported = list(
        csv.DictReader(io.StringIO(client.get(f"/api/v1{location}/results?format=csv").text))
    )
    table = read_rows(client.get(location).text)
    for row, export in zip(table, exported, strict=True):
        assert row[3:5] == [export["upper_bound"], export["lower_bound"]]
        assert int(row[5].replace(",", "")) == int(export["nodes"])
        assert float(row[6]) == pytest.approx(float(export["seconds"]), rel=0.005)


def test_options_of_the_form_apply_to_each_board(client: FlaskClient, work: DoWork) -> None:
    fields = {"board": "0 1 2 3\n1 0 2 3\n", "goal": "blank-first", "target": "any"}
    location = client.post("/jobs", data=fields).location
    work()
    page = client.get(location).text
    assert read_rows(page)[0][3] == "0"
    [first, _second] = re.findall(r'href="(/jobs/[0-9a-f-]{36})"', page)
    assert "any solution" in client.get(first).text
    fields = {"board": "1 2 3 0\n1 2 3 4 5 6 7 0 8\n1 2 0 3\n", "goal": "own"}
    response = client.post("/jobs", data=fields | {"goal_board": "1 2 0 3"})
    page = client.get(response.location).text
    assert "2 boards" in page
    assert "Line 2 was skipped" in page


def test_invalid_option_rejects_the_batch(client: FlaskClient, make_app: MakeApp) -> None:
    response = client.post("/jobs", data={"board": LINES, "time_limit_s": "-5"})
    assert response.status_code == 422
    assert "&#39;-5&#39;; use a number greater than 0" in response.text
    assert "1 2 q" in response.text
    strict_client = make_app(max_batch=2).test_client()
    assert strict_client.post("/jobs", data={"board": "1 2 3 0\n" * 2}).status_code == 303
    response = strict_client.post("/jobs", data={"board": "1 2 3 0\n" * 3})
    assert response.status_code == 422
    assert "A batch accepts at most 2 boards" in response.text
    assert client.get(f"/batches/{new_id()}").status_code == 404


def test_boards_are_filtered_sorted_and_proved(client: FlaskClient, work: DoWork) -> None:
    boards = ["1 2 3 4 5 6 0 7 8", "3 12 15 9 6 1 4 0 11 14 13 7 10 5 2 8", "3x2: 1 2 3 4 0 5"]
    size = Size(7, 6)  # too large for a proof
    boards.append(f"7x6: {' '.join(map(str, scramble(size, blank_last(size), 1).cells))}")
    response = client.post("/jobs", data={"board": "\n".join(boards), "target": "any"})
    work()
    table = read_rows(client.get(f"{response.location}?sort=moves&order=desc").text)
    assert [row[0] for row in table] == ["4", "2", "1", "3"]
    page = client.get(f"{response.location}?size=3×2&sort=nonsense&state=what&first=-7").text
    assert [row[0] for row in read_rows(page)] == ["3"]
    assert read_rows(client.get(f"{response.location}?state=failed").text) == []
    assert "Prove the other board" in client.get(response.location).text
    proof = client.post(f"{response.location}/prove")
    assert [row[1] for row in read_rows(client.get(proof.location).text)] == ["4×4"]
    assert client.post(f"{proof.location}/prove").location == proof.location


def test_long_batch_is_shown_in_pages(client: FlaskClient) -> None:
    location = client.post("/jobs", data={"board": "1 2 3 0\n" * 150}).location
    page = client.get(location).text
    assert len(read_rows(page)) == 100
    match = re.search(r'href="(/batches/[^"]+first=101)"', page)
    table = read_rows(client.get(match[1]).text)
    assert [table[0][0], table[-1][0]] == ["101", "150"]
    assert [row[0] for row in read_rows(client.get(f"{location}?first=999").text)] == ["150"]
    assert len(read_rows(client.get(f"{location}?first=-5").text)) == 100
