from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

COMPARISONS = "/api/v1/comparisons"
BOARD = "1 2 3 4 5 X 6 7 8"
COLUMNS = [
    "board_index", "board", "optimal_length", "method", "algorithm", "heuristic", "weight",
    "beam_width", "state", "length", "optimal", "stopped_by", "expanded", "generated", "visited",
    "frontier", "max_frontier", "duplicates", "depth", "branching", "seconds", "memory_bytes",
    "message",
]  # fmt: skip

Work = Callable[[], None]


def compare(client: FlaskClient, **body: object) -> dict[str, str]:
    answer = client.post(COMPARISONS, json=body)
    assert answer.status_code in {200, 202}, answer.text
    links: dict[str, str] = answer.json["links"]
    return links


def rows_of(client: FlaskClient, links: dict[str, str]) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(client.get(links["csv"]).text, newline=""))
    assert reader.fieldnames == COLUMNS
    return list(reader)


def test_csv_has_the_published_figures(client: FlaskClient, lab_work: Work) -> None:
    methods = ["a-star-replace:manhattan", "weighted-a-star:hamming:1.5", "beam:manhattan:20"]
    links = compare(client, board=BOARD, methods=[*methods, "breadth-first"])
    lab_work()
    rows = rows_of(client, links)
    assert [row["method"] for row in rows] == [*methods, "breadth-first"]
    published = rows[0]
    assert published["board"] == "1 2 3 4 5 0 6 7 8"
    assert (published["visited"], published["max_frontier"]) == ("81", "56")
    assert (published["length"], published["optimal"]) == ("13", "true")
    assert (published["optimal_length"], published["board_index"]) == ("13", "0")
    assert (published["algorithm"], published["heuristic"]) == ("a-star-replace", "manhattan")
    assert (published["state"], published["stopped_by"], published["message"]) == ("done", "", "")
    assert [row["weight"] for row in rows] == ["", "1.5", "", ""]
    assert [row["beam_width"] for row in rows] == ["", "", "20", ""]
    assert rows[3]["heuristic"] == ""
    assert float(published["seconds"]) > 0
    assert 1 < float(published["branching"]) < 3


def test_json_says_the_same_in_numbers(client: FlaskClient, lab_work: Work) -> None:
    links = compare(client, board=BOARD, methods=["a-star-replace:manhattan", "depth-first"])
    lab_work()
    answer = client.get(links["json"])
    assert answer.content_type == "application/json"
    records = answer.json
    assert [list(record) for record in records] == [COLUMNS, COLUMNS]
    assert records[0]["board"] == [1, 2, 3, 4, 5, 0, 6, 7, 8]
    assert (records[0]["visited"], records[0]["max_frontier"]) == (81, 56)
    # Nobody proves the optimum here, neither by itself nor for the other.
    assert records[0]["optimal"] is records[0]["optimal_length"] is None
    for record, row in zip(records, rows_of(client, links), strict=True):
        for name in ("expanded", "generated", "frontier", "duplicates", "depth", "memory_bytes"):
            assert int(row[name]) == record[name]
        assert float(row["seconds"]) == record["seconds"]
        assert float(row["branching"]) == record["branching"]


def test_what_is_not_known_yet_is_empty(client: FlaskClient) -> None:
    links = compare(client, board=BOARD, methods=["a-star"])
    (row,) = rows_of(client, links)
    assert (row["state"], row["length"], row["optimal"], row["visited"]) == ("queued", "", "", "")
    (record,) = client.get(links["json"]).json
    assert (record["length"], record["optimal"], record["visited"]) == (None, None, None)


def test_each_board_of_a_sweep_can_be_compared_by_itself(
    client: FlaskClient, lab_work: Work
) -> None:
    sweep = {"width": 3, "height": 3, "boards": 4, "moves": 16, "seed": 3}
    links = compare(client, sweep=sweep, methods=["a-star", "greedy"])
    lab_work()
    rows = rows_of(client, links)
    assert [row["board_index"] for row in rows] == ["0", "0", "1", "1", "2", "2", "3", "3"]
    run = client.get(client.get(links["self"]).json["runs"][-1]["links"]["self"]).json
    assert rows[-1]["board"] == " ".join(map(str, run["board"]))
    again = compare(client, board=rows[-1]["board"], methods=["a-star"])
    lab_work()
    assert rows_of(client, again)[0]["length"] == rows[-1]["optimal_length"]


def test_a_board_that_is_not_square_tells_its_size(client: FlaskClient, lab_work: Work) -> None:
    links = compare(client, board=[[1, 2, 3], [4, 0, 5]], methods=["a-star"])
    lab_work()
    (row,) = rows_of(client, links)
    assert row["board"] == "3x2: 1 2 3 4 0 5"
    assert compare(client, board=row["board"], methods=["a-star"]) == links


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_results_come_as_a_file(client: FlaskClient, kind: str) -> None:
    links = compare(client, board=BOARD, methods=["a-star"])
    answer = client.get(links[kind])
    name = f"tilework-comparison-{links['self'].rpartition('/')[2]}.{kind}"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.mimetype == {"csv": "text/csv", "json": "application/json"}[kind]


def test_without_a_format_it_is_csv_and_others_are_refused(client: FlaskClient) -> None:
    place = compare(client, board=BOARD, methods=["a-star"])["self"]
    assert client.get(f"{place}/results").mimetype == "text/csv"
    answer = client.get(f"{place}/results?format=xlsx")
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/format")
