from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, SOLVED_3X3
from tilework.core.errors import OptionError
from tilework.core.services.jobs.submit import SubmitJob

LOYD = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"


def refusal(page: str) -> str:
    """What the place for refusals says; empty where it is."""
    place = re.search(r'<div class="refusal".*?role="alert"[^>]*>(.*?)</div>', page, re.DOTALL)
    assert place is not None
    return unescape(re.sub("<[^>]*>", "", place[1])).strip()


def options_lie_open(page: str) -> bool:
    options = re.search(r'<details class="options"[^>]*>', page)
    assert options is not None
    return options[0].endswith(" open>")


def test_the_empty_place_for_refusals_is_there(client: FlaskClient) -> None:
    assert refusal(client.get("/").text) == ""


def test_a_board_becomes_a_job_and_its_page_is_next(client: FlaskClient) -> None:
    answer = client.post("/jobs", data={"board": EASY_3X3})
    assert answer.status_code == 303
    page = client.get(answer.location)
    assert page.status_code == 200
    assert 'data-board="1 2 3 4 5 6 0 7 8"' in page.text
    assert 'data-goal="blank-last"' in page.text


def test_what_was_typed_stays_in_the_form_when_it_is_refused(client: FlaskClient) -> None:
    answer = client.post("/jobs", data={"board": "1 2 q", "goal": "spiral", "target": "any"})
    assert answer.status_code == 422
    assert "1 2 q</textarea>" in answer.text
    assert "Line 1, column 5: 'q' is not a tile" in refusal(answer.text)
    assert '<option value="spiral" selected>' in answer.text


def test_options_lie_open_where_one_is_not_usual(client: FlaskClient) -> None:
    assert not options_lie_open(client.get("/").text)
    assert not options_lie_open(client.post("/jobs", data={"board": "1 2 q"}).text)
    assert options_lie_open(client.get("/?goal=spiral").text)
    assert options_lie_open(client.post("/jobs", data={"board": "", "target": "any"}).text)


def test_an_unsolvable_board_is_refused_with_what_helps_and_then_why(client: FlaskClient) -> None:
    answer = client.post("/jobs", data={"board": LOYD})
    assert answer.status_code == 422
    told = refusal(answer.text)
    places = [
        told.index(words)
        for words in (
            "4×4, not solvable.",
            "Use blank first",
            "Swap 14 and 15",
            "1 is odd, so the goal cannot be reached.",
        )
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("remedy", "board", "goal"),
    [
        ("blank-first", "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0", " ".join(map(str, range(16)))),
        ("14 15", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "blank-last"),
    ],
)
def test_what_helps_is_done_without_a_script_too(
    client: FlaskClient, remedy: str, board: str, goal: str
) -> None:
    answer = client.post("/jobs", data={"board": LOYD, "remedy": remedy})
    assert answer.status_code == 303
    page = client.get(answer.location).text
    assert f'data-board="{board}"' in page
    assert f'data-goal="{goal}"' in page


@pytest.mark.parametrize("remedy", ["14", "14 99", "spirals", "1 2 3", "x" * 100])
def test_what_names_no_two_tiles_is_refused(client: FlaskClient, remedy: str) -> None:
    answer = client.post("/jobs", data={"board": LOYD, "remedy": remedy})
    assert answer.status_code == 422
    assert "are not two tiles of the board" in refusal(answer.text)


@pytest.mark.parametrize(
    ("fields", "words", "in_portuguese"),
    [
        ({"board": " \n"}, "The board is empty", "O tabuleiro está vazio"),
        ({"target": "best"}, "'best' is not available; choose from optimal", "não está disponível"),
        (
            {"target": "gap", "gap": "much"},
            "Largest gap, in percent: 'much' is not a number",
            "não é um número",
        ),
        (
            {"target": "gap", "gap": "-1"},
            "Largest gap, in percent: '-1' is too small; give 0 or more",
            "é pequeno demais; dê 0 ou mais",
        ),
        ({"time_limit_s": "long"}, "Search for at most: 'long' is not a number", "não é um número"),
        ({"time_limit_s": "-5"}, "Invalid time limit -5 s", "Limite de tempo inválido: -5 s"),
        (
            {"algorithm": "magic"},
            "'magic' is not available; choose from auto",
            "não está disponível",
        ),
        ({"goal": "own", "goal_board": "1 2"}, "The goal: line 1, column 3", "O objetivo: "),
        ({"goal": "own", "goal_board": ""}, "The goal: unknown goal ''", "O objetivo: "),
    ],
)
def test_a_field_that_cannot_be_read_is_named(
    client: FlaskClient, fields: dict[str, str], words: str, in_portuguese: str
) -> None:
    answer = client.post("/jobs", data={"board": EASY_3X3} | fields)
    assert answer.status_code == 422
    assert words in refusal(answer.text)
    translated = client.post(
        "/jobs", data={"board": EASY_3X3} | fields, headers={"Accept-Language": "pt"}
    )
    assert in_portuguese in refusal(translated.text)


def test_an_empty_board_stays_empty(client: FlaskClient) -> None:
    answer = client.post("/jobs", data={"board": ""})
    assert re.search(r'<textarea id="board"[^>]*></textarea>', answer.text)


def test_an_option_that_the_service_refuses_stays_chosen(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: SubmitJob, submission: object, *, brief: bool) -> None:
        raise OptionError("a-star is for boards of up to 16 cells")

    monkeypatch.setattr(SubmitJob, "accept", refuse)
    chosen = {"algorithm": "a-star", "heuristic": "manhattan", "time_limit_s": "3600"}
    answer = client.post("/jobs", data={"board": EASY_3X3} | chosen)
    assert answer.status_code == 422
    assert "A-star is for boards of up to 16 cells." in refusal(answer.text)
    for name in chosen.values():
        assert re.search(rf'<option(?: value="{name}")? selected>(?:{name}|1 hour)<', answer.text)
    assert options_lie_open(answer.text)


def test_a_gap_is_given_in_percent(client: FlaskClient) -> None:
    answer = client.post("/jobs", data={"board": EASY_3X3, "target": "gap", "gap": "2,5"})
    assert "within 2.5% of the optimum" in client.get(answer.location).text


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (
            {"jobs_per_client": 1},
            429,
            "You have 1 unfinished job; with 1 more the limit of 1 would be exceeded.",
        ),
        ({"depth_cap": 1}, 503, "The service has 1 unfinished job and accepts no more for now."),
    ],
)
def test_too_many_jobs_are_told_when_to_come_again(
    make_app, options: dict[str, int], status: int, words: str
) -> None:
    client = make_app(**options).test_client()
    client.post("/jobs", data={"board": EASY_3X3})
    answer = client.post("/jobs", data={"board": "8 6 7 2 5 4 3 0 1"})
    assert answer.status_code == status
    assert int(answer.headers["Retry-After"]) > 0
    assert words in refusal(answer.text)
    assert "8 6 7 2 5 4 3 0 1</textarea>" in answer.text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Already solved"), ("pt", "Já resolvido")],
)
def test_a_solved_board_is_said_to_be_solved(
    client: FlaskClient, work, language: str, words: str
) -> None:
    headers = {"Accept-Language": language}
    address = client.post("/jobs", data={"board": SOLVED_3X3}).location
    work()
    for page in (address, "/history"):
        text = client.get(page, headers=headers).text
        assert f">{words}<" in text
        assert "= 0" not in text
