"""The form of a comparison, read and refused without any script."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, UNSOLVABLE_3X3
from tilework.core.lab.method import DEFAULT_METHODS, Method
from tilework.core.lab.names import ALGORITHMS, HEURISTICS

INFORMED = [name for name, facts in ALGORITHMS.items() if facts.informed]
DEFAULT_BOXES = [
    "a-star:manhattan",
    "a-star:linear-conflict",
    "a-star:hamming",
    "ida-star:manhattan",
    "greedy:manhattan",
    "weighted-a-star:manhattan",
    "beam:manhattan",
    "bidirectional",
    "breadth-first",
    "depth-first",
]


def ticked(page: str) -> list[str]:
    return re.findall(r'name="method" value="([^"]+)" checked', page)


def made(client: FlaskClient, **fields: object) -> str:
    answer = client.post("/comparisons", data={"board": EASY_3X3, **fields})
    assert answer.status_code == 303, answer.text
    return answer.location.rsplit("/", 1)[1]


def asked(app: Flask, comparison_id: str) -> list[str]:
    view = app.extensions["tilework"].comparisons.view(comparison_id)
    return [method.text for method in view.methods]


def problem(page: str) -> str:
    found = re.search(r'role="alert".*?</strong> (.*?)</p>', page, re.DOTALL)
    assert found is not None
    return unescape(found[1])


def test_every_pair_has_a_box_and_the_ten_are_ticked(client: FlaskClient) -> None:
    page = client.get("/compare").text
    boxes = re.findall(r'name="method" value="([^"]+)"', page)
    pairs = len(INFORMED) * len(HEURISTICS) + len(ALGORITHMS) - len(INFORMED)
    assert len(set(boxes)) == len(boxes) == pairs
    assert sorted(ticked(page)) == sorted(DEFAULT_BOXES)


def test_blue_boxes_are_those_that_promise_the_shortest(client: FlaskClient) -> None:
    page = client.get("/compare").text
    blue = re.findall(r'tick-promise"><input type="checkbox" name="method" value="([^"]+)"', page)
    assert {"a-star:manhattan", "a-star-closed:faulty", "breadth-first"} <= set(blue)
    for box in ("greedy:manhattan", "a-star:sum", "a-star-replace:zero", "depth-first"):
        assert box not in blue


def test_the_ten_are_compared_in_their_own_order(app: Flask, client: FlaskClient) -> None:
    comparison = made(client, method=sorted(DEFAULT_BOXES))
    assert asked(app, comparison) == [method.text for method in DEFAULT_METHODS]


def test_weight_and_width_go_to_the_searches_that_take_them(
    app: Flask, client: FlaskClient
) -> None:
    boxes = ["weighted-a-star:zero", "beam:hamming", "a-star:zero"]
    comparison = made(client, method=boxes, weight="1,5", beam_width="7")
    assert set(asked(app, comparison)) == {
        "weighted-a-star:zero:1.5",
        "beam:hamming:7",
        "a-star:zero",
    }


def test_limits_are_taken_and_left_out_ones_are_the_services(
    app: Flask, client: FlaskClient
) -> None:
    fields = {"time_limit_s": "2.5", "node_limit": "1000", "memory_limit_mb": ""}
    comparison = made(client, method="breadth-first", **fields)
    limits = app.extensions["tilework"].comparisons.view(comparison).limits
    assert (limits.seconds, limits.nodes, limits.memory_bytes) == (2.5, 1000, 512 * 2**20)


def test_a_sweep_is_drawn_towards_the_goal_of_its_size(app: Flask, client: FlaskClient) -> None:
    fields = {"kind": "sweep", "width": "4", "height": "2", "boards": "3", "moves": "9"}
    comparison = made(client, method=["a-star:manhattan"], goal="blank-first", seed="5", **fields)
    view = app.extensions["tilework"].comparisons.view(comparison)
    assert view.sweep is not None
    assert (view.sweep.boards, view.sweep.moves, view.sweep.seed) == (3, 9, 5)
    assert view.goal.cells.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert (view.goal.width, len(view.runs)) == (4, 3)


def test_a_sweep_of_one_cell_is_as_good_as_any(app: Flask, client: FlaskClient) -> None:
    fields = {"kind": "sweep", "width": "1", "height": "1", "boards": "2"}
    comparison = made(client, method=["a-star:manhattan"], **fields)
    assert len(app.extensions["tilework"].comparisons.view(comparison).runs) == 2


def test_what_was_typed_stays_when_it_is_refused(client: FlaskClient) -> None:
    fields = {"goal": "spiral", "weight": "3", "node_limit": "77", "seed": "9"}
    answer = client.post(
        "/comparisons", data={"board": "1 2 q", "method": ["beam:zero", "depth-first"], **fields}
    )
    assert answer.status_code == 422
    assert "'q' is not a tile" in problem(answer.text)
    assert "1 2 q</textarea>" in answer.text
    assert '<option value="spiral" selected>' in answer.text
    assert sorted(ticked(answer.text)) == ["beam:zero", "depth-first"]
    for name, value in (("weight", "3"), ("node_limit", "77"), ("seed", "9")):
        assert re.search(rf'name="{name}" value="{value}"', answer.text)


def test_an_unsolvable_board_is_refused_with_the_argument(client: FlaskClient) -> None:
    answer = client.post("/comparisons", data={"board": UNSOLVABLE_3X3, "method": "breadth-first"})
    assert answer.status_code == 422
    assert "1 is odd, so the goal cannot be reached." in problem(answer.text)


@pytest.mark.parametrize(
    ("fields", "words", "in_portuguese"),
    [
        ({"method": []}, "at least one method", "pelo menos um método"),
        ({"method": "magic"}, "unknown algorithm 'magic'", "algoritmo desconhecido 'magic'"),
        ({"method": "a-star:luck"}, "unknown heuristic 'luck'", "heurística desconhecida 'luck'"),
        ({"method": "depth-first:zero"}, "uses no heuristic", "não usa heurística"),
        ({"method": "beam:zero", "beam_width": "x"}, "'x' is out of range", "está fora da faixa"),
        ({"method": "weighted-a-star:zero", "weight": "0"}, "invalid weight 0", "peso inválido 0"),
        ({"time_limit_s": "soon"}, "'soon' is not a number", "não é um número"),
        ({"time_limit_s": "9999"}, "invalid time limit 9999", "limite de tempo inválido: 9999 s"),
        (
            {"node_limit": "99999999999"},
            "invalid limit of 99999999999 nodes",
            "limite de nós inválido: 99999999999",
        ),
        ({"memory_limit_mb": "0"}, "'0' is out of range", "está fora da faixa"),
        ({"goal": "own", "goal_board": "1 2"}, "has 3 cells", "tem 3 casas"),
        ({"board": " ".join(map(str, range(441)))}, "up to 400 cells", "até 400 casas"),
        ({"kind": "sweep", "boards": "0"}, "from 1 to 1000", "de 1 a 1000"),
        ({"kind": "sweep", "width": "50", "height": "50"}, "2500 cells", "2500 casas"),
        ({"kind": "sweep", "method": "greedy:zero"}, "guarantees a shortest", "nenhum destes"),
        (
            {"kind": "sweep", "boards": "1000", "method": DEFAULT_BOXES},
            "too large",
            "grande demais",
        ),
    ],
)
def test_a_field_that_cannot_be_read_is_told(
    client: FlaskClient, fields: dict[str, object], words: str, in_portuguese: str
) -> None:
    data = {"board": EASY_3X3, "method": "a-star:manhattan", **fields}
    answer = client.post("/comparisons", data=data)
    assert answer.status_code == 422
    assert words in problem(answer.text).lower()
    translated = client.post("/comparisons?lang=pt", data=data)
    assert in_portuguese in problem(translated.text).lower()


def test_too_many_runs_are_told_when_to_come_again(make_app) -> None:
    client = make_app(lab_runs_per_client=1).test_client()
    data = {"board": EASY_3X3, "method": ["breadth-first", "depth-first"]}
    answer = client.post("/comparisons", data=data)
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_the_address_fills_the_form(client: FlaskClient) -> None:
    query = {
        "board": "3 1\n2 0",
        "goal": "1 2 0 3",
        "method": ["beam:zero:33", "weighted-a-star:sum:1.23456789", "no-such"],
    }
    page = client.get("/compare", query_string=query).text
    assert "3 1\n2 0</textarea>" in page
    assert '<option value="own" selected>' in page
    assert "1 2 0 3</textarea>" in page
    assert sorted(ticked(page)) == ["beam:zero", "weighted-a-star:sum"]
    assert re.search(r'name="beam_width" value="33"', page)
    assert re.search(r'name="weight" value="1.23456789"', page)


def test_recent_comparisons_are_mine_alone(app: Flask) -> None:
    client = app.test_client()
    assert "recent-title" not in client.get("/compare").text
    comparison = made(client, method=["breadth-first", "beam:zero"])
    page = client.get("/compare").text
    assert f'href="/comparisons/{comparison}"' in page
    assert "2 methods on a board of 3×3" in page
    assert "recent-title" not in app.test_client().get("/compare").text


def test_a_title_of_the_page_is_that_of_the_program(app: Flask) -> None:
    from tilework.web.pages.lab.words import algorithm_names, heuristic_names, method_title

    with app.test_request_context():
        assert algorithm_names() == {name: facts.title for name, facts in ALGORITHMS.items()}
        assert heuristic_names() == {name: facts.title for name, facts in HEURISTICS.items()}
        for method in (*DEFAULT_METHODS, Method.from_text("weighted-a-star:sum:1.23456789")):
            assert method_title(method) == method.title
