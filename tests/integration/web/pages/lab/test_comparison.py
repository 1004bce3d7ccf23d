"""The page of a comparison as the server writes it: it reads without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3
from tests.integration.web.pages.test_pages import Inspector

FARTHEST_3X3 = "8 6 7 2 5 4 3 0 1"  # 31 moves
NEAR_SPIRAL = "1 2 3 8 4 0 7 6 5"
TWENTY_SEVEN = "7 5 8 2 3 4 1 0 6"
ABSENT = "/comparisons/01890000-0000-7000-8000-000000000000"

Work = Callable[[], None]


def made(client: FlaskClient, *methods: str, **fields: str) -> str:
    data = {"board": EASY_3X3, "method": list(methods), **fields}
    answer = client.post("/comparisons", data=data)
    assert answer.status_code == 303, answer.text
    return answer.location


def rows(page: str) -> dict[str, list[str]]:
    """The table: what its cells say, by method."""
    body = re.search(r'<tbody data-part="rows">(.*?)</tbody>', page, re.DOTALL)
    assert body is not None
    found = {}
    for key, row in re.findall(r'<tr data-key="([^"]+)">(.*?)</tr>', body[1], re.DOTALL):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        found[key] = [unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in cells]
    return found


def test_runs_wait_and_then_tell_what_they_came_to(client: FlaskClient, lab_work: Work) -> None:
    address = made(client, "a-star-replace:manhattan", board="1 2 3 4 5 0 6 7 8")
    waiting = rows(client.get(address).text)["a-star-replace:manhattan"]
    assert waiting[:3] == ["A* that replaces, as published · Manhattan", "waiting", "–"]
    assert "0 of 1 runs have ended" in client.get(address).text
    lab_work()
    page = client.get(address).text
    cells = rows(page)["a-star-replace:manhattan"]
    # Length, visited and largest frontier as published for this board.
    assert (cells[2], cells[4], cells[6]) == ("13", "81", "56")
    assert "<progress" not in page


def test_the_shortest_is_told_from_the_longer_one(client: FlaskClient, lab_work: Work) -> None:
    methods = ("breadth-first", "greedy:manhattan", "weighted-a-star:manhattan")
    address = made(client, *methods, board=TWENTY_SEVEN, weight="1")
    lab_work()
    page = client.get(address).text
    found = rows(page)
    assert found["breadth-first"][1:4] == ["solved", "27", "yes"]
    assert found["weighted-a-star:manhattan:1"][2:4] == ["27", "yes"]  # shown by the other
    assert found["greedy:manhattan"][3] == "no"
    assert int(found["greedy:manhattan"][2]) > 27
    assert "shortest solution: 27 moves" in page


def test_without_a_proof_nobody_knows(client: FlaskClient, lab_work: Work) -> None:
    address = made(client, "greedy:manhattan")
    lab_work()
    page = client.get(address).text
    assert rows(page)["greedy:manhattan"][3] == "–"
    assert "shortest solution:" not in page


def test_limits_and_empty_hands_are_named(client: FlaskClient, lab_work: Work) -> None:
    address = made(
        client,
        "breadth-first",
        "beam:manhattan",
        board=FARTHEST_3X3,
        node_limit="500",
        beam_width="1",
    )
    lab_work()
    page = client.get(address).text
    found = rows(page)
    assert found["breadth-first"][1:3] == ["node limit", "–"]
    assert found["breadth-first"][5] != "–"
    assert "500 generated nodes" in page


def test_a_search_that_gives_up_says_why(client: FlaskClient, lab_work: Work) -> None:
    address = made(client, "backtracking", board=FARTHEST_3X3)
    lab_work()
    english = client.get(address).text
    assert rows(english)["backtracking"][1] == "too deep"
    assert ">The recursion reached " in english
    portuguese = client.get(f"{address}?lang=pt").text
    assert rows(portuguese)["backtracking"][1] == "fundo demais"
    assert ">A recursão atingiu " in portuguese


def test_a_sweep_has_a_row_a_method_with_medians(client: FlaskClient, lab_work: Work) -> None:
    address = made(client, "breadth-first", "greedy:zero", kind="sweep", boards="3", moves="3")
    assert rows(client.get(address).text)["breadth-first"][1] == "0 of 3 ended"
    lab_work()
    page = client.get(address).text
    found = rows(page)
    # Walks of one, two and three moves from the goal, none undone: as many moves back.
    assert found["breadth-first"][1:4] == ["3 of 3 solved", "2", "3 / 3"]
    assert found["greedy:zero"][1] == "3 of 3 solved"
    assert "2 methods on 3 boards of 3×3" in page
    assert 'data-chart="sweep"' in page


def test_a_sweep_says_why_a_method_fails_on_its_boards(client: FlaskClient, lab_work: Work) -> None:
    sweep = {"kind": "sweep", "width": "6", "height": "2", "boards": "2", "moves": "2"}
    address = made(client, "a-star:walking-distance", "breadth-first", **sweep)
    lab_work()
    page = client.get(address).text
    assert rows(page)["a-star:walking-distance"][1] == "0 of 2 solved"
    assert page.count("too large for a board of 6×2") == 1


def test_one_move_is_no_moves(client: FlaskClient, lab_work: Work) -> None:
    address = made(client, "breadth-first", board="1 2 3 4 5 6 7 0 8")
    lab_work()
    assert "shortest solution: 1 move<" in client.get(address).text


def test_a_row_leads_to_the_same_search_step_by_step(client: FlaskClient) -> None:
    address = made(client, "beam:manhattan", board=NEAR_SPIRAL, goal="spiral", beam_width="9")
    link = re.search(r'href="(/lab\?[^"]+)"', client.get(address).text)
    assert link is not None
    query = parse_qs(urlsplit(unescape(link[1])).query)
    assert query["method"] == ["beam:manhattan:9"]
    assert query["goal"] == ["spiral"]
    assert query["board"][0].split() == NEAR_SPIRAL.split()
    assert client.get(unescape(link[1])).status_code == 200


@pytest.mark.parametrize(
    "fields",
    [
        {"board": NEAR_SPIRAL, "goal": "spiral", "beam_width": "9"},
        {"board": NEAR_SPIRAL, "goal": "spiral", "time_limit_s": "2.5", "memory_limit_mb": "77"},
        {"board": "4x2: 1 2 3 4 5 6 0 7", "goal": "own", "goal_board": "1 2 3 4 5 6 7 0"},
        {"kind": "sweep", "width": "2", "height": "3", "boards": "4", "moves": "6", "seed": "8"},
    ],
)
def test_the_same_comparison_can_be_asked_for_again(
    app: Flask, client: FlaskClient, fields: dict[str, str]
) -> None:
    address = made(client, "beam:manhattan", "breadth-first", **fields)
    link = re.search(r'class="button" href="(/compare\?[^"]+)"', client.get(address).text)
    assert link is not None
    form = client.get(unescape(link[1])).text
    inputs = re.findall(r'<input type="number"[^>]* name="([^"]+)" value="([^"]*)"', form)
    again: dict[str, object] = dict(inputs)
    again["kind"] = re.search(r'name="kind" value="(\w+)" checked', form)[1]
    again["goal"] = re.search(r'<option value="([^"]+)" selected', form)[1]
    for name in ("board", "goal_board"):
        field = re.search(rf'name="{name}".*?>(.*?)</textarea>', form, re.DOTALL)
        again[name] = unescape(field[1])
    again["method"] = re.findall(r'name="method" value="([^"]+)" checked', form)
    assert client.post("/comparisons", data=again).location == address


def test_only_the_owner_may_cancel(app: Flask) -> None:
    owner, guest = app.test_client(), app.test_client()
    address = made(owner, "breadth-first")
    assert f'action="{address}/cancel"' in owner.get(address).text
    assert "/cancel" not in guest.get(address).text
    assert guest.post(f"{address}/cancel").status_code == 403
    answer = owner.post(f"{address}/cancel")
    assert (answer.status_code, answer.location) == (303, address)
    page = owner.get(address).text
    assert rows(page)["breadth-first"][1] == "cancelled"
    assert "/cancel" not in page
    assert 'badge-cancelled">cancelled' in owner.get("/compare").text


def test_files_are_offered_by_the_api(client: FlaskClient, lab_work: Work) -> None:
    address = made(client, "breadth-first")
    lab_work()
    links = re.findall(r'download href="(/api/[^"]+)"', client.get(address).text)
    assert [link.rsplit("=", 1)[1] for link in links] == ["csv", "json"]
    for link in links:
        answer = client.get(link)
        assert answer.status_code == 200
        assert "attachment" in answer.headers["Content-Disposition"]


def test_the_pages_keep_the_rules_of_all_pages(client: FlaskClient, lab_work: Work) -> None:
    single = made(client, "breadth-first", "depth-first")
    sweep = made(client, "breadth-first", kind="sweep", boards="2", moves="4")
    lab_work()
    for address in ("/compare", single, sweep):
        for language in ("en", "pt"):
            inspector = Inspector()
            inspector.feed(client.get(f"{address}?lang={language}").text)
            assert inspector.faults == []
            assert {"header", "nav", "main", "footer", "h1"} <= inspector.landmarks
            assert len(inspector.ids) == len(set(inspector.ids))
            for field in inspector.fields:
                assert field.get("id") in inspector.labelled or field.get("aria-label"), field


def test_a_comparison_that_is_not_there_is_a_page(client: FlaskClient) -> None:
    assert client.get(ABSENT).status_code == 404
    assert client.post(f"{ABSENT}/cancel").status_code == 404
