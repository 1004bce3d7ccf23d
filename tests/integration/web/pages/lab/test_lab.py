"""The form of the lab and the page of its steps, as the server writes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from uuid import uuid4

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3
from tilework.core.assembly import Services
from tilework.core.lab.method import Method
from tilework.core.lab.trace import TraceWindow

Work = Callable[[], None]
BOTH = {
    "board": EASY_3X3,
    "algorithm": "weighted-a-star",
    "heuristic": "hamming",
    "weight": "1,5",
    "width": "7",
    "second_algorithm": "breadth-first",
    "second_heuristic": "manhattan",
}


def made(services: Services, location: str):
    return services.comparisons.view(location.rsplit("/", 1)[-1])


def test_a_form_becomes_a_comparison_with_its_steps(
    client: FlaskClient, services: Services
) -> None:
    answer = client.post("/lab", data=BOTH | {"first": "10", "last": "5", "every": "3"})
    assert answer.status_code == 303
    comparison = made(services, answer.location)
    assert comparison.methods == (
        Method.from_text("weighted-a-star:hamming:1.5"),
        Method.from_text("breadth-first"),
    )
    assert comparison.window == TraceWindow(10, 5, 3)
    assert comparison.start.cells.tolist() == [1, 2, 3, 4, 5, 6, 0, 7, 8]


@pytest.mark.parametrize(
    ("fields", "methods"),
    [
        ({}, ["a-star:manhattan"]),
        ({"algorithm": "beam", "width": "12"}, ["beam:manhattan:12"]),
        ({"algorithm": "ida-star", "second_algorithm": "ida-star"}, ["ida-star:manhattan"]),
    ],
)
def test_what_a_method_does_not_take_is_passed_over(
    client: FlaskClient, services: Services, fields: dict[str, str], methods: list[str]
) -> None:
    answer = client.post("/lab", data={"board": EASY_3X3, "weight": "much"} | fields)
    assert [one.text for one in made(services, answer.location).methods] == methods


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"board": "1 2 q"}, "Line 1, column 5: &#39;q&#39; is not a tile"),
        ({"board": UNSOLVABLE_3X3}, "is odd, so the goal cannot be reached"),
        ({"goal": "own", "goal_board": "1 2"}, "has 3 cells, got 2 tiles"),
        ({"algorithm": "magic"}, "Unknown algorithm &#39;magic&#39;"),
        ({"heuristic": "magic"}, "Unknown heuristic &#39;magic&#39;"),
        ({"algorithm": "weighted-a-star", "weight": "much"}, "&#39;much&#39; is not a number"),
        ({"algorithm": "beam", "width": "0"}, "&#39;0&#39; is out of range"),
        ({"second_algorithm": "beam", "second_width": "2.5"}, "&#39;2.5&#39; is out of range"),
        ({"first": "2001"}, "&#39;2001&#39; is out of range"),
        ({"last": "-1"}, "&#39;-1&#39; is out of range"),
        ({"every": "often"}, "&#39;often&#39; is out of range"),
    ],
)
def test_what_cannot_be_read_is_refused_and_stays(
    client: FlaskClient, fields: dict[str, str], words: str
) -> None:
    answer = client.post("/lab", data=BOTH | fields)
    assert answer.status_code == 422
    assert words in answer.text
    assert f">{(BOTH | fields)['board']}</textarea>" in answer.text
    assert 'value="breadth-first" data-informed="false"' in answer.text
    if fields.get("goal") == "own":
        assert ">1 2</textarea>" in answer.text
    if "every" in fields:
        assert 'value="often"' in answer.text


def test_too_large_a_board_is_refused(make_app) -> None:
    answer = make_app(lab_max_cells=8).test_client().post("/lab", data=BOTH)
    assert answer.status_code == 422
    assert "boards of up to 8 cells are accepted here" in answer.text


def test_too_many_runs_are_told_when_to_come_again(make_app) -> None:
    client = make_app(lab_runs_per_client=2).test_client()
    client.post("/lab", data=BOTH)
    answer = client.post("/lab", data=BOTH | {"board": "1 2 3 4 5 0 7 8 6"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_an_address_brings_board_goal_and_methods(client: FlaskClient) -> None:
    query = {
        "board": "2x2:\n0 3\n2 1",
        "goal": "0 1 2 3",
        "method": ["weighted-a-star:hamming:3", "depth-first"],
    }
    page = client.get("/lab", query_string=query).text
    assert "0 3\n2 1</textarea>" in page
    assert ">0 1 2 3</textarea>" in page
    assert '<option value="own" selected>' in page
    for chosen in ("weighted-a-star", "depth-first"):
        assert any(
            f'value="{chosen}"' in line and " selected" in line for line in page.splitlines()
        )
    assert 'name="weight" value="3"' in page
    alone = client.get("/lab", query_string={"method": "ida-star:zero"}).text
    assert '<option value="" selected>' in alone


def test_an_address_with_a_method_that_is_none_says_so(client: FlaskClient) -> None:
    page = client.get("/lab", query_string={"board": EASY_3X3, "method": "magic"})
    assert page.status_code == 200
    assert "Unknown algorithm &#39;magic&#39;" in page.text
    assert f">{EASY_3X3}</textarea>" in page.text


def test_steps_lead_to_the_table_and_back_to_the_form(client: FlaskClient, lab_work: Work) -> None:
    location = client.post("/lab", data=BOTH).location
    page = client.get(location).text
    comparison = location.rsplit("/", 1)[-1]
    assert f'href="/comparisons/{comparison}"' in page
    assert "method=weighted-a-star:hamming:1.5&amp;method=breadth-first" in page
    assert f'data-address="/api/v1/comparisons/{comparison}"' in page
    assert "Weighted A* · Hamming · 1.5" in page
    assert client.get(f"/comparisons/{comparison}").text.count(f'href="{location}"') == 2
    lab_work()
    runs = client.get(f"/api/v1/comparisons/{comparison}").json["runs"]
    for run in runs:
        assert f'data-run="{run["id"]}"' in page
        assert client.get(run["links"]["trace"]).json["path"]


def test_the_steps_asked_for_go_back_to_the_form(client: FlaskClient) -> None:
    location = client.post("/lab", data=BOTH | {"first": "7", "every": "5"}).location
    form = unescape(re.search(r'href="(/lab\?[^"]+)"', client.get(location).text)[1])
    assert client.post("/lab", data=BOTH | inputs(client.get(form).text)).location == location


def inputs(page: str) -> dict[str, str]:
    """Which steps a form asks for."""
    found = {}
    for name in ("first", "last", "every"):
        found[name] = re.search(rf'name="{name}" value="(\d+)"', page)[1]
    return found


def test_why_a_run_has_no_solution_is_told(client: FlaskClient, lab_work: Work) -> None:
    options = {"board": "1 2 3 4 5 0 6 7 8", "algorithm": "depth-first-recursive"}
    location = client.post("/lab", data=options).location
    assert "calls deep" not in client.get(location).text
    lab_work()
    assert "The recursion reached its limit of" in client.get(location).text
    assert "chamadas" in client.get(location, query_string={"lang": "pt"}).text


def test_runs_without_steps_say_so(client: FlaskClient) -> None:
    options = {"board": EASY_3X3, "methods": ["a-star:manhattan"]}
    comparison = client.post("/api/v1/comparisons", json=options).json["id"]
    page = client.get(f"/lab/{comparison}").text
    assert "These runs keep no steps." in page
    assert "data-run=" not in page


def test_of_many_methods_two_are_shown(client: FlaskClient) -> None:
    options = {"board": EASY_3X3, "trace": {"first": 9, "last": 0, "every": 0}}
    comparison = client.post("/api/v1/comparisons", json=options).json["id"]
    page = client.get(f"/lab/{comparison}").text
    assert page.count("data-run=") == 2
    assert "8 more are in the table" in page


def test_an_address_of_nothing_is_a_page_for_people(client: FlaskClient) -> None:
    answer = client.get(f"/lab/{uuid4()}")
    assert answer.status_code == 404
    assert "There is nothing here." in answer.text


def test_a_board_without_a_solution_is_searched_where_that_is_ticked(
    client: FlaskClient, services: Services, lab_work: Work
) -> None:
    form = BOTH | {"board": UNSOLVABLE_3X3, "algorithm": "a-star"}
    assert client.post("/lab", data=form).status_code == 422
    location = client.post("/lab", data=form | {"exhaust": "yes"}).location
    lab_work()
    for run in made(services, location).runs:
        assert (run.length, run.statistics.visited) == (None, 181_440)
    assert "All boards that can be reached were searched" in client.get(location).text
