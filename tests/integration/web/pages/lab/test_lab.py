import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, DoWork, MakeApp
from tilework.core.assembly import Services
from tilework.core.lab.methods import Method
from tilework.core.lab.result import TraceWindow

METHODS = ["weighted-a-star:hamming", "breadth-first"]
TWO_METHODS = {"board": EASY_3X3, "method": METHODS, "weight": "1,5", "beam_width": "7"}
INVALID_FIELDS = [
    ({"board": "1 2 q"}, "Line 1, column 5: &#39;q&#39; is not a tile"),
    ({"weight": "much"}, "&#39;much&#39; is not a number"),
    ({"every": "often"}, "in between: invalid value &#39;often&#39;; use a whole number"),
]


def find_comparison(services: Services, location: str):
    return services.comparisons.view(location.rsplit("/", 1)[-1])


def test_form_becomes_a_comparison_with_steps(client: FlaskClient, services: Services) -> None:
    response = client.post("/lab", data=TWO_METHODS | {"first": "10", "last": "5", "every": "3"})
    assert response.status_code == 303
    comparison = find_comparison(services, response.location)
    expected = (Method.from_text("weighted-a-star:hamming:1.5"), Method.from_text("breadth-first"))
    assert comparison.methods == expected
    assert comparison.window == TraceWindow(10, 5, 3)
    assert comparison.start.cells.tolist() == [1, 2, 3, 4, 5, 6, 0, 7, 8]
    # Options that a method does not take are ignored, and those in its name precede.
    for fields, methods in (
        ({"method": "a-star:manhattan"}, ["a-star:manhattan"]),
        ({"method": "beam:manhattan", "beam_width": "12"}, ["beam:manhattan:12"]),
        ({"method": "beam:manhattan:9", "beam_width": "12"}, ["beam:manhattan:9"]),
        ({"method": ["ida-star:manhattan"] * 2}, ["ida-star:manhattan"]),
    ):
        response = client.post("/lab", data={"board": EASY_3X3, "weight": "much"} | fields)
        comparison = find_comparison(services, response.location)
        assert [method.text for method in comparison.methods] == methods


def test_invalid_input_is_rejected_and_kept(
    client: FlaskClient, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    for fields, expected in INVALID_FIELDS:
        response = client.post("/lab", data=TWO_METHODS | fields)
        assert response.status_code == 422
        assert expected in response.text
        assert f">{(TWO_METHODS | fields)['board']}</textarea>" in response.text
        assert 'value="breadth-first" checked' in response.text
        assert 'value="often"' in response.text or "every" not in fields
    response = make_app(lab_max_cells=8).test_client().post("/lab", data=TWO_METHODS)
    assert response.status_code == 422
    monkeypatch.setattr("tilework.core.services.comparisons.RUNS_PER_CLIENT", 1)
    response = make_app().test_client().post("/lab", data=TWO_METHODS)
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 0


def test_steps_link_to_the_table_and_back_to_the_form(client: FlaskClient, work: DoWork) -> None:
    location = client.post("/lab", data=TWO_METHODS | {"first": "7", "every": "5"}).location
    page = client.get(location).text
    comparison = location.rsplit("/", 1)[-1]
    assert f'href="/comparisons/{comparison}"' in page
    assert "method=weighted-a-star:hamming:1.5&amp;method=breadth-first" in page
    assert f'data-url="/api/v1/comparisons/{comparison}"' in page
    assert "Weighted A* · Hamming · 1.5" in page
    table = client.get(f"/comparisons/{comparison}").text
    assert table.count(f'class="watch" href="{location}"') == 2
    untraced = client.post("/comparisons", data=TWO_METHODS).location
    assert client.get(untraced).text.count('<button class="watch" form="watch"') == 2
    form = client.get(unescape(re.search(r'href="(/lab\?[^"]+)"', page)[1])).text
    assert "<details open>" in form
    empty_form = client.get("/lab").text
    assert "<details open>" not in empty_form
    assert "the first 300 steps and the last 50" in empty_form
    steps = dict(re.findall(r'name="(first|last|every)" value="(\d+)"', form))
    assert client.post("/lab", data=TWO_METHODS | steps).location == location
    work()
    for run in client.get(f"/api/v1/comparisons/{comparison}").json["runs"]:
        assert f'data-run="{run["id"]}"' in page
        assert client.get(run["links"]["trace"]).json["path"]


def test_recursion_limit_and_exhausted_search_are_reported(
    client: FlaskClient, services: Services, work: DoWork
) -> None:
    options = {"board": "1 2 3 4 5 0 6 7 8", "method": "depth-first-recursive"}
    deep_url = client.post("/lab", data=options).location
    form = {"board": "3x2: 2 1 3 4 5 0", "method": "a-star:manhattan", "exhaust": "yes"}
    exhausted_url = client.post("/lab", data=form).location
    assert "The recursion reached" not in client.get(deep_url).text
    work()
    assert "The recursion reached its limit of" in client.get(deep_url).text
    [run] = find_comparison(services, exhausted_url).runs
    assert (run.length, run.visited) == (None, 360)
    page = client.get(exhausted_url).text
    assert "this board cannot reach its goal. Inversions" in page
    edit_url = unescape(re.search(r'href="(/lab\?[^"]+)"', page)[1])
    assert 'name="exhaust" value="yes" checked' in client.get(edit_url).text


def test_worksheet_has_an_unlabelled_tree_and_answers(client: FlaskClient, work: DoWork) -> None:
    board = {"board": "1 2 3 4 5 0 6 7 8"}
    methods = ["a-star:manhattan", "breadth-first"]
    path = client.post("/lab", data=board | {"method": methods}).location
    response = client.get(f"{path}/worksheet")
    assert (response.status_code, response.location) == (303, path)
    link = f'data-part="worksheet" hidden href="{path}/worksheet"'
    assert link in client.get(path).text
    work()
    assert link.replace(" hidden", "") in client.get(path).text
    page = client.get(f"{path}/worksheet").text
    questions, answers = page.split('class="sheet-answers"')
    assert "0 + 5 = 5" in answers
    assert "0 + 5 = 5" not in questions
    assert questions.count('class="sheet-board"') == answers.count('class="sheet-board') > 8
    assert "3 tiles; Manhattan distance 5." in answers
    assert "13 moves. It is optimal." in answers
    page = client.get(f"{path}/worksheet?method=1").text
    assert " + " not in page.split('class="sheet-answers"')[1]
    options = {"method": "weighted-a-star:manhattan", "weight": "1.5"}
    path = client.post("/lab", data=board | options).location
    work()
    assert "0 + 1.5·5 = 7.5" in client.get(f"{path}/worksheet").text
