from __future__ import annotations

import json
from collections.abc import Callable

from flask.testing import FlaskClient

from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.services.certificates.check import examine
from tilework.core.services.certificates.options import VerifyOptions

JOBS = "/api/v1/jobs"
EASY = {"board": "1 2 3 4 5 6 0 7 8"}

Work = Callable[[], None]


def test_a_certificate_is_a_file_that_can_be_verified(client: FlaskClient, work: Work) -> None:
    place = client.post(JOBS, json={"board": "8 6 7 2 5 4 3 0 1"}).headers["Location"]
    work()
    answer = client.get(f"{place}/certificate")
    assert answer.status_code == 200
    assert answer.content_type == "application/json"
    name = 'filename="tilework-certificate-3x3-31.json"'
    assert answer.headers["Content-Disposition"] == f"attachment; {name}"
    certificate = read_certificate(answer.data)
    assert (certificate.length, certificate.optimal) == (31, True)
    assert certificate.proof is Proof.ONE_PROCESS
    assert examine(certificate, VerifyOptions(None, 0)).fault is None


def test_of_a_job_that_was_answered_at_once(client: FlaskClient, work: Work) -> None:
    client.post(JOBS, json=EASY)
    work()
    place = client.post(JOBS, json=EASY).headers["Location"]
    assert client.get(f"{place}/certificate").json["moves"] == "LL"


def test_of_a_bounded_job(client: FlaskClient, work: Work) -> None:
    board = json.dumps([8, 6, 7, 2, 5, 4, 3, 0, 1])
    place = client.post(JOBS, json={"board": board, "algorithm": "constructive"}).headers[
        "Location"
    ]
    work()
    certificate = read_certificate(client.get(f"{place}/certificate").data)
    assert not certificate.optimal
    assert certificate.lower_bound < certificate.length
    assert examine(certificate, VerifyOptions(None, 0)).fault is None


def test_a_job_that_goes_on_has_none_yet(client: FlaskClient) -> None:
    place = client.post(JOBS, json=EASY).headers["Location"]
    answer = client.get(f"{place}/certificate")
    assert (answer.status_code, answer.json["type"]) == (409, "urn:tilework:problem:not-ended")
    assert "queued" in answer.json["detail"]


def test_a_job_that_ended_without_a_solution_has_none(client: FlaskClient) -> None:
    place = client.post(JOBS, json=EASY).headers["Location"]
    client.delete(place)
    answer = client.get(f"{place}/certificate")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:no-solution")
    assert "cancelled" in answer.json["detail"]


def test_no_job_has_none(client: FlaskClient) -> None:
    answer = client.get(f"{JOBS}/00000000-0000-7000-8000-000000000000/certificate")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:not-found")
    assert client.get(f"{JOBS}/1/certificate").status_code == 404
