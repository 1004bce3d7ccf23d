from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

JOBS = "/api/v1/jobs"
FORMATS = ["text", "arrows", "udlr", "runs", "tiles", "json"]

Work = Callable[[], None]


@pytest.fixture
def solved(client: FlaskClient, work: Work) -> str:
    place = client.post(JOBS, json={"board": "1 2 3 4 5 6 0 7 8"}).headers["Location"]
    work()
    return f"{place}/solution"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_a_file_of_its_type(client: FlaskClient, solved: str, name: str) -> None:
    answer = client.get(f"{solved}?format={name}")
    assert answer.status_code == 200
    extension = "json" if name == "json" else "txt"
    media_type = "application/json" if name == "json" else "text/plain; charset=utf-8"
    assert answer.content_type == media_type
    file = f'filename="tilework-3x3-2-{name}.{extension}"'
    assert answer.headers["Content-Disposition"] == f"inline; {file}"
    saved = client.get(f"{solved}?format={name}&download=true")
    assert saved.headers["Content-Disposition"] == f"attachment; {file}"
    assert saved.data == answer.data


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("format=udlr", "LL\n"),
        ("format=udlr&by=blank", "RR\n"),
        ("format=runs", "L2\n"),
        ("format=tiles", "7 8\n"),
        (
            "format=lisp",
            "#(1 2 3 4 5 6 7 0 8)\n#(1 2 3 4 5 6 7 8 0)\n"
            "Número de movimentos: 2\nOrdem de peças a serem movidas: (7 8)\n",
        ),
    ],
)
def test_short_formats(client: FlaskClient, solved: str, query: str, text: str) -> None:
    assert client.get(f"{solved}?{query}").text == text


def test_the_length_of_the_letters_is_told_beforehand(client: FlaskClient, solved: str) -> None:
    assert client.get(f"{solved}?format=udlr").headers["Content-Length"] == "3"


def test_text_speaks_two_languages(client: FlaskClient, solved: str) -> None:
    assert "Minimum number of moves = 2" in client.get(f"{solved}?format=text").text
    portuguese = client.get(f"{solved}?format=text&lang=pt").text
    assert "Mínimo número de movimentos = 2" in portuguese
    printed = client.get(f"{solved}?format=princeton&lang=pt").text
    assert printed.startswith("Mínimo número de movimentos = 2\n3\n 1  2  3\n")


def test_without_a_format_it_is_json(client: FlaskClient, solved: str) -> None:
    solution = client.get(solved).json
    assert (solution["moves"], solution["length"], solution["optimal"]) == ("LL", 2, True)
    assert solution["slides"] == 1


def test_a_job_that_goes_on_has_no_solution_yet(client: FlaskClient) -> None:
    place = client.post(JOBS, json={"board": "1 2 3 4 5 6 0 7 8"}).headers["Location"]
    answer = client.get(f"{place}/solution")
    assert (answer.status_code, answer.json["type"]) == (
        409,
        "urn:tilework:problem:no-solution-yet",
    )
    assert int(answer.headers["Retry-After"]) > 0


def test_a_job_that_ended_without_has_no_solution(client: FlaskClient) -> None:
    place = client.post(JOBS, json={"board": "1 2 3 4 5 6 0 7 8"}).headers["Location"]
    client.delete(place)
    answer = client.get(f"{place}/solution")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:no-solution")
    assert "cancelled" in answer.json["detail"]


def test_no_job_has_no_solution(client: FlaskClient) -> None:
    answer = client.get(f"{JOBS}/00000000-0000-7000-8000-000000000000/solution")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:not-found")


@pytest.mark.parametrize(
    ("board", "goal", "width", "moves"),
    [
        ("1 2 3 4 5 6 0 7 8", None, None, "LL"),
        ("1 2 3 4 5 6 7 0 8", None, None, None),
        ("[[1,4,0],[2,5,7],[3,6,8]]", "1 4 7 2 5 8 3 6 0", 3, "UU"),
    ],
)
def test_a_known_solution_is_found_without_a_job(
    client: FlaskClient,
    solved: str,
    board: str,
    goal: str | None,
    width: int | None,
    moves: str | None,
) -> None:
    query = {"board": board, "goal": goal, "width": width}
    given = urlencode({name: value for name, value in query.items() if value is not None})
    answer = client.get(f"/api/v1/solutions?{given}")
    if moves is None:
        assert (answer.status_code, answer.json["type"]) == (
            404,
            "urn:tilework:problem:no-solution",
        )
    else:
        assert (answer.json["moves"], answer.json["length"]) == (moves, 2)
    assert len(client.get(JOBS).json["jobs"]) == 1
