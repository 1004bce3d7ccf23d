import html
import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, SOLVED_3X3, DoWork

MAIN_PATHS = ("/", "/play", "/compare", "/lab", "/analyse", "/ways", "/history", "/statistics")
MAIN_PATHS += ("/operator",)
UNKNOWN_JOB = "/jobs/01890000-0000-7000-8000-000000000000"
FORM_PATHS = ("/jobs", "/lab", "/comparisons", "/analyses", "/ways")
BOARD = "1 2 3\n4 5 6\n0 7 8"
HINT_BOARD = "8 6 7 2 5 4 3 0 1"
OWN_GOAL = "0 1 2 3 4 5 6 8 7"


def find_errors(page: str) -> list[str]:
    """Return violations of the content security policy, and elements without accessible names."""
    tags = re.findall(r"<[a-z][^>]*>", page)
    inline_code = re.compile(r"<script(?! src=|[^>]* src=)|<style| (?:style|on\w+)=")
    errors = [tag for tag in tags if inline_code.search(tag)]
    errors += [name for name in ("header", "nav", "main", "footer", "h1") if f"<{name}" not in page]
    ids = [id_ for tag in tags for id_ in re.findall(r' id="([^"]*)"', tag)]
    errors += {id_ for id_ in ids if ids.count(id_) > 1}
    label_targets = re.findall(r'<label[^>]* for="([^"]*)"', page)
    unlabelled_html = re.sub(r"<label.*?</label>", "", page, flags=re.DOTALL)
    for field in re.findall(r"<(?:input|select|textarea)[^>]*>", unlabelled_html):
        name = re.search(r' id="([^"]*)"', field)
        if 'type="hidden"' not in field and "aria-label" not in field:
            errors += [] if name and name[1] in label_targets else [field]
    return errors


def test_pages_follow_the_content_policy_and_have_names(
    operator: FlaskClient, work: DoWork
) -> None:
    client = operator
    job = client.post("/jobs", data={"board": EASY_3X3}).location
    steps = client.post("/lab", data={"board": EASY_3X3, "method": "a-star"}).location
    sweep = {"method": "breadth-first", "kind": "sweep", "boards": "2", "moves": "4"}
    paths = [
        job,
        f"{job}/sheet",
        steps,
        steps.replace("/lab/", "/comparisons/"),
        client.post("/comparisons", data=sweep).location,
        client.post("/analyses", data={"board": EASY_3X3, "moves": "LL"}).location,
        client.post("/ways", data={"board": EASY_3X3}).location,
    ]
    work()
    for path in (*MAIN_PATHS, *paths, "/learn", "/openapi", "/nowhere", UNKNOWN_JOB):
        for language in ("en", "pt"):
            assert find_errors(client.get(f"{path}?lang={language}").text) == [], path
    assert 'name="next" value="/learn?a=b"' in client.get("/learn?lang=pt&a=b").text


def read_field(page: str, name: str) -> str:
    """Return the value that a browser would send for a field."""
    text = re.search(rf'<textarea[^>]* name="{name}"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    if text is not None:
        return html.unescape(text[1])
    choices = re.search(rf'<select[^>]* name="{name}".*?</select>', page, re.DOTALL)
    [choice] = re.findall(r'<option value="([^"]*)" selected', choices[0])
    return str(choice)


def test_form_is_filled_from_the_url_or_a_rejected_form(client: FlaskClient) -> None:
    goals = (("spiral", "spiral", ""), (OWN_GOAL, "own", OWN_GOAL), (None, "blank-last", ""))
    for path in ("/", "/lab", "/compare", "/analyse", "/ways"):
        for goal, choice, text in goals:
            query = {"board": BOARD} | ({} if goal is None else {"goal": goal})
            page = client.get(path, query_string=query).text
            assert read_field(page, "board") == BOARD
            assert (read_field(page, "goal"), read_field(page, "goal_board")) == (choice, text)
    form = {"board": BOARD, "goal": "own", "goal_board": OWN_GOAL, "moves": "L", "method": "a-star"}
    for path in FORM_PATHS:
        response = client.post(path, data=form | {"algorithm": "a-star"})
        assert response.status_code == 422
        assert "3×3: unsolvable." in response.text
        for name in ("board", "goal", "goal_board"):
            assert read_field(response.text, name) == form[name]


def test_url_of_an_error_page_leads_to_the_form(client: FlaskClient) -> None:
    pages = dict(zip(FORM_PATHS, ("/", None, "/compare", "/analyse", None), strict=True))
    pages |= {"/board/upload": "/", "/operator/key": "/operator", "/language": "/"}
    id_ = UNKNOWN_JOB.rpartition("/")[2]
    for change, kinds in (
        ("again", ["jobs"]),
        ("cancel", ["jobs", "analyses", "ways", "comparisons"]),
        ("prove", ["batches"]),
    ):
        pages |= {f"/{kind}/{id_}/{change}": f"/{kind}/{id_}" for kind in kinds}
    for path, page in pages.items():
        response = client.get(f"{path}?kind=job")
        expected = (200, None) if page is None else (303, f"{page}?kind=job")
        assert (response.status_code, response.location) == expected
    page = client.post("/jobs?a=b").text
    assert 'name="next" value="/jobs?a=b"' in page


def test_only_the_owner_can_cancel(app: Flask) -> None:
    owner, guest = app.test_client(), app.test_client()
    data = {"board": EASY_3X3, "method": "breadth-first"}
    for path in ("/jobs", "/comparisons"):
        page = owner.post(path, data=data).location
        guest.post(path, data=data)  # so that the search continues
        assert f'action="{page}/cancel"' in owner.get(page).text
        assert "/cancel" not in guest.get(page).text
        assert guest.post(f"{page}/cancel").status_code == 403
        response = owner.post(f"{page}/cancel")
        assert (response.status_code, response.location) == (303, page)
        assert "/cancel" not in owner.get(page).text
    assert 'badge-cancelled">cancelled' in owner.get("/history").text


PAGES = {"job": "/jobs/", "batch": "/batches/", "comparison": "/comparisons/"}
PAGES |= {"lab": "/lab/", "game": "/analyses/"}


@pytest.fixture
def entries(client: FlaskClient) -> dict[str, str]:
    """The id of an entry of each kind, in the order of the requests."""
    board = {"board": EASY_3X3}
    batch = client.post("/api/v1/batches", json={"boards": [EASY_3X3, EASY_3X3]}).json["id"]
    urls = {
        "job": client.post("/jobs", data=board).location,
        "comparison": client.post("/comparisons", data=board | {"method": "depth-first"}).location,
        "lab": client.post("/lab", data=board | {"method": "a-star"}).location,
        "game": client.post("/analyses", data=board | {"moves": "LL"}).location,
    }
    return {"batch": batch} | {kind: path.rpartition("/")[2] for kind, path in urls.items()}


def find_entries(page: str) -> list[str]:
    return re.findall(r'class="job-line" href="/[a-z]+/([0-9a-f-]{36})"', page)


def test_unfinished_requests_come_first_and_hints_are_not_listed(
    client: FlaskClient, work: DoWork
) -> None:
    running = client.post("/jobs", data={"board": EASY_3X3}).location.rpartition("/")[2]
    ended = client.post("/jobs", data={"board": SOLVED_3X3}).location.rpartition("/")[2]
    client.post(f"/jobs/{ended}/cancel")
    assert client.post("/api/v1/hints?wait=0", json={"board": HINT_BOARD}).json["job_id"]
    page = client.get("/history").text
    assert find_entries(page) == [running, ended]
    assert "Running now" in page
    home = client.get("/").text
    assert f'<a href="/jobs/{running}">Your 3×3: still searching</a>' in home
    work()
    page = client.get("/history").text
    assert find_entries(page) == [ended, running]
    assert "Running now" not in page
    assert "Your 3×3" not in client.get("/").text


def test_own_requests_are_listed(app: Flask, client: FlaskClient, entries: dict[str, str]) -> None:
    assert find_entries(client.get("/history").text) == list(entries.values())[::-1]
    for kind, path in PAGES.items():
        page = client.get(f"/history?kind={kind}").text
        assert find_entries(page) == [entries[kind]]
        assert f'href="{path}{entries[kind]}"' in page
    other_client = app.test_client()
    other_client.post("/jobs", data={"board": "1 2 3 4 5 6 7 0 8"})
    page = other_client.get("/history").text
    assert len(find_entries(page)) == 1
    for entry in entries.values():
        assert entry not in page
    assert "Nothing here yet." in app.test_client().get("/history").text
    assert find_entries(client.get("/history").text) == list(entries.values())[::-1]
    response = client.get("/history?kind=jobs")
    assert response.status_code == 422
    expected = "'jobs' is not available; did you mean job?"
    assert expected in unescape(response.text)
