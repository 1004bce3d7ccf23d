from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import EASY_3X3, UNSOLVABLE_3X3


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
    assert "&#39;q&#39; is not a tile" in answer.text
    assert '<option value="spiral" selected>' in answer.text


def test_an_unsolvable_board_is_refused_with_the_argument(client: FlaskClient) -> None:
    answer = client.post("/jobs", data={"board": UNSOLVABLE_3X3})
    assert answer.status_code == 422
    assert "1 is odd, so the goal cannot be reached." in answer.text


@pytest.mark.parametrize(
    "fields",
    [
        {"target": "best"},
        {"target": "gap", "gap": "much"},
        {"target": "gap", "gap": "-1"},
        {"time_limit_s": "long"},
        {"time_limit_s": "-5"},
        {"algorithm": "magic"},
        {"goal": "own", "goal_board": "1 2"},
    ],
)
def test_a_field_that_cannot_be_read_is_refused(
    client: FlaskClient, fields: dict[str, str]
) -> None:
    answer = client.post("/jobs", data={"board": EASY_3X3} | fields)
    assert answer.status_code == 422
    assert "notice-bad" in answer.text


def test_a_gap_is_given_in_percent(client: FlaskClient) -> None:
    answer = client.post("/jobs", data={"board": EASY_3X3, "target": "gap", "gap": "2,5"})
    assert "within 2.5% of the optimum" in client.get(answer.location).text


def test_too_many_jobs_are_told_when_to_come_again(make_app) -> None:
    client = make_app(jobs_per_client=1).test_client()
    client.post("/jobs", data={"board": EASY_3X3})
    answer = client.post("/jobs", data={"board": "8 6 7 2 5 4 3 0 1"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
