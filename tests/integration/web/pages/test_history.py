"""The visitor's history: what it lists, names, removal, files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3
from tilework.core.assembly import Services
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

Work = Callable[[], None]

KINDS = ("job", "batch", "comparison", "lab", "game")
PAGES = {
    "job": "/jobs/",
    "batch": "/batches/",
    "comparison": "/comparisons/",
    "lab": "/lab/",
    "game": "/analyses/",
}


@pytest.fixture
def asked(client: FlaskClient) -> dict[str, str]:
    """One entry of each kind, by its id; asked for in this order."""
    batch = client.post("/api/v1/batches", json={"boards": [EASY_3X3, EASY_3X3]}).json["id"]
    given = {
        "job": client.post("/jobs", data={"board": EASY_3X3}).location,
        "comparison": client.post(
            "/comparisons", data={"board": EASY_3X3, "method": ["breadth-first"]}
        ).location,
        "lab": client.post("/lab", data={"board": EASY_3X3}).location,
        "game": client.post("/analyses", data={"board": EASY_3X3, "moves": "LL"}).location,
    }
    return {"batch": batch} | {kind: place.rpartition("/")[2] for kind, place in given.items()}


def listed(page: str) -> list[str]:
    return re.findall(r'action="/history/([0-9a-f-]{36})/name', page)


def test_all_that_was_asked_for_is_listed_newest_first(
    client: FlaskClient, asked: dict[str, str]
) -> None:
    page = client.get("/history").text
    assert listed(page) == list(asked.values())[::-1]
    for kind in KINDS:
        only = client.get(f"/history?kind={kind}").text
        assert listed(only) == [asked[kind]]
        assert f'href="{PAGES[kind]}{asked[kind]}"' in only


def test_others_see_nothing_of_it(app: Flask, client: FlaskClient, asked: dict[str, str]) -> None:
    other = app.test_client()
    other.post("/jobs", data={"board": "1 2 3 4 5 6 7 0 8"})
    page = other.get("/history").text
    assert len(listed(page)) == 1
    for entry in asked.values():
        assert entry not in page
        for change in ("name", "remove"):
            refused = other.post(f"/history/{entry}/{change}", data={"name": "mine"})
            assert refused.status_code == 404
    assert "There is nothing yet." in app.test_client().get("/history").text
    assert listed(client.get("/history").text) == list(asked.values())[::-1]


def test_an_entry_has_the_name_that_it_is_given(client: FlaskClient, asked: dict[str, str]) -> None:
    for kind, entry in asked.items():
        name = f"  <b>{kind}</b>   of\tours "
        done = client.post(f"/history/{entry}/name?kind={kind}", data={"name": name})
        assert (done.status_code, done.location) == (303, f"/history?kind={kind}")
        page = client.get(done.location).text
        assert f">&lt;b&gt;{kind}&lt;/b&gt; of ours<" in page
    client.post(f"/history/{asked['job']}/name", data={"name": "  "})
    assert ">3×3 board<" in client.get("/history?kind=job").text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("n" * 81, "A name cannot have 81 characters; give at most 80."),
        ("a\x00b", "The name 'a\\x00b' has signs that cannot be shown; give letters"),
    ],
)
def test_a_name_that_cannot_be_kept_is_told(
    client: FlaskClient, asked: dict[str, str], name: str, words: str
) -> None:
    answer = client.post(f"/history/{asked['job']}/name", data={"name": name})
    assert answer.status_code == 422
    assert words in unescape(answer.text)
    assert listed(answer.text) == list(asked.values())[::-1]


def test_what_is_removed_is_listed_no_more_and_stays_where_it_is(
    client: FlaskClient, asked: dict[str, str], work: Work
) -> None:
    work()
    page = f"/jobs/{asked['job']}"
    for entry in asked.values():
        assert client.post(f"/history/{entry}/remove").status_code == 303
    assert "There is nothing yet." in client.get("/history").text
    assert client.get("/api/v1/history").json == {"entries": [], "next": None}
    assert "2 moves, none shorter" in client.get(page).text
    again = client.post(f"/history/{asked['job']}/remove")
    assert again.status_code == 404
    # Others' answers rest on it.
    same = client.post("/api/v1/jobs", json={"board": EASY_3X3})
    assert (same.status_code, same.json["cached"]) == (200, True)


def test_the_list_is_paged(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilework.web.pages.history.history.ENTRIES_A_PAGE", 2)
    client = app.test_client()
    boards = ["1 2 3 4 5 6 0 7 8", "1 2 3 4 5 6 7 0 8", "1 2 3 4 5 0 7 8 6"]
    made = [client.post("/jobs", data={"board": one}).location.rpartition("/")[2] for one in boards]
    first = client.get("/history?kind=job").text
    assert listed(first) == made[:0:-1]
    [older] = re.findall(r'href="(/history\?kind=job&amp;before=[^"]+)"', first)
    second = client.get(unescape(older)).text
    assert listed(second) == made[:1]
    client.post(f"/history/{made[1]}/remove")
    assert listed(client.get("/history").text) == [made[2], made[0]]


def test_a_kind_that_is_none_is_told(client: FlaskClient) -> None:
    answer = client.get("/history?kind=jobs")
    assert answer.status_code == 422
    expected = "'jobs' is not available; choose from job, batch, comparison, lab, game"
    assert expected in unescape(answer.text)


def test_the_old_address_leads_here(client: FlaskClient) -> None:
    answer = client.get("/jobs?before=1")
    assert (answer.status_code, answer.location) == (301, "/history?before=1")


def test_the_files_hold_what_is_listed(client: FlaskClient, asked: dict[str, str]) -> None:
    client.post(f"/history/{asked['game']}/name", data={"name": "Ours, “first”"})
    answer = client.get("/history.csv")
    assert "attachment" in answer.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["id"] for row in rows] == list(asked.values())[::-1]
    assert rows[0] == rows[0] | {"kind": "game", "name": "Ours, “first”", "count": "2"}
    assert [row["page"] for row in rows] == [PAGES[row["kind"]] + row["id"] for row in rows]
    told = client.get("/history.json?kind=game").json["entries"]
    assert [(one["name"], one["width"]) for one in told] == [("Ours, “first”", 3)]
    assert (
        client.get("/history.json").json["entries"] == client.get("/api/v1/history").json["entries"]
    )


def test_boards_are_coloured_by_their_own_goals(client: FlaskClient) -> None:
    board, goal = "0 1 2 3 4 5 6 7 8", "blank-first"
    client.post("/jobs", data={"board": board, "goal": goal})
    page = client.get("/history").text
    assert page.count('class="thumb-home"') == 8
    assert page.count('class="thumb-away"') == 0


def test_it_tells_how_good_a_large_boards_solution_is(app: Flask, services: Services) -> None:
    client = app.test_client()
    size = Size(5, 5)
    board = " ".join(map(str, scramble(size, blank_last(size), 1).cells))
    made = client.post("/jobs", data={"board": board}).location
    assert "lower bound" not in client.get("/history").text
    with services.storage.writing() as session:
        solve = session.solves.lock(session.jobs.solve_of(made.rpartition("/")[2]))
        bounded = replace(solve, lower_bound=100, upper_bound=125)
        session.solves.save(bounded, services.storage.clock())
    assert "1.250 × lower bound, being improved" in client.get("/history").text
    assert client.delete(f"/api/v1{made}").status_code == 200
    page = client.get("/history").text
    assert "1.250 × lower bound" in page
    assert "being improved" not in page
