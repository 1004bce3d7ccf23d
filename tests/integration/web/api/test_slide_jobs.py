"""Jobs that count in slides, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import groupby

import pytest
from flask.testing import FlaskClient

from tests.support import naive
from tilework.core.formats.certificate import read_certificate
from tilework.core.services.certificates.check import examine
from tilework.core.services.certificates.options import VerifyOptions

JOBS = "/api/v1/jobs"
FARTHEST = [8, 6, 7, 2, 5, 4, 3, 0, 1]
IN_SLIDES = {"board": FARTHEST, "metric": "slides"}

Work = Callable[[], None]


def test_bounds_count_slides_and_the_solution_tells_both(client: FlaskClient, work: Work) -> None:
    place = client.post(JOBS, json=IN_SLIDES).headers["Location"]
    work()
    job = client.get(place).json
    assert (job["metric"], job["state"]) == ("slides", "optimal")
    assert (job["lower_bound"], job["upper_bound"], job["gap"]) == (20, 20, 0)
    told = client.get(f"{place}/solution").json
    moves = told["moves"]
    assert naive.played(tuple(FARTHEST), 3, moves) == naive.solved(3, 3)
    assert len(list(groupby(moves))) == told["slides"] == told["lower_bound"] == 20
    assert (told["metric"], told["optimal"], told["length"]) == ("slides", True, len(moves))
    assert client.get(f"{place}/history").json["events"][-1]["upper_bound"] == 20
    # That these are the fewest moves is not said.
    assert "minimum" not in client.get(f"{place}/solution?format=text").text.lower()


def test_a_known_answer_is_one_of_its_metric(client: FlaskClient, work: Work) -> None:
    client.post(JOBS, json=IN_SLIDES)
    work()
    in_moves = client.post(JOBS, json={"board": FARTHEST})
    assert (in_moves.status_code, in_moves.json["metric"]) == (202, "moves")
    again = client.post(JOBS, json=IN_SLIDES)
    assert (again.status_code, again.json["cached"], again.json["slides"]) == (200, True, 20)
    assert client.get("/api/v1/solutions?board=8 6 7 2 5 4 3 0 1").status_code == 404


def test_the_certificate_of_such_a_job(client: FlaskClient, work: Work) -> None:
    place = client.post(JOBS, json=IN_SLIDES).headers["Location"]
    work()
    certificate = read_certificate(client.get(f"{place}/certificate").data)
    assert (certificate.metric, certificate.slides, certificate.optimal) == ("slides", 20, True)
    assert examine(certificate, VerifyOptions(None, 0)).fault is None


@pytest.mark.parametrize("as_text", [False, True])
def test_batches_take_a_metric(client: FlaskClient, work: Work, as_text: bool) -> None:
    if as_text:
        answer = client.post(
            "/api/v1/batches?metric=slides",
            data="8 6 7 2 5 4 3 0 1\n1 2 3 4 5 6 0 7 8\n",
            content_type="text/plain",
        )
    else:
        boards = [FARTHEST, [1, 2, 3, 4, 5, 6, 0, 7, 8]]
        answer = client.post("/api/v1/batches", json={"boards": boards, "metric": "slides"})
    assert answer.status_code == 202
    work()
    lines = client.get(f"{answer.headers['Location']}/results").text.splitlines()
    assert [json.loads(line)["upper_bound"] for line in lines] == [20, 1]
    assert all(json.loads(line)["optimal"] for line in lines)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"metric": "hops"}, "'moves' or 'slides'"),
        ({"algorithm": "ida-star"}, "'ida-star' counts moves"),
        ({"algorithm": "greedy"}, "'greedy' counts moves"),
        ({"heuristic": "hamming"}, "'hamming' counts moves"),
    ],
)
def test_what_does_not_go_with_slides(
    client: FlaskClient, more: dict[str, str], words: str
) -> None:
    answer = client.post(JOBS, json=IN_SLIDES | more)
    assert answer.status_code == 422
    assert words in answer.json["detail"]
