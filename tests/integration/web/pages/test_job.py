import re

from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, FARTHEST_3X3, SOLVED_3X3, DoWork

FORM = re.compile(r'<form method="post" action="/jobs/([^"]+)/again" data-part="again"( hidden)?>')
UNKNOWN_JOB = "/jobs/01890000-0000-7000-8000-000000000000"
FIELDS = ("board", "goal", "options")
OPTIONS = {"board": "6 8 7 2 5 4 3 0 1", "goal": "spiral", "algorithm": "ida-star"}
OPTIONS |= {"heuristic": "linear-conflict", "target": "gap", "gap": "2.5", "time_limit_s": "60"}


def make_job(client: FlaskClient, board: str = EASY_3X3, **fields: str) -> str:
    response = client.post("/jobs", data={"board": board} | fields)
    assert response.status_code == 303, response.text
    return response.location


def cancel_job(client: FlaskClient, **fields: str) -> str:
    job = make_job(client, **{"board": FARTHEST_3X3} | fields)
    assert client.delete(f"/api/v1{job}").status_code == 200
    return job


def can_be_continued(client: FlaskClient, job: str) -> bool:
    form = FORM.search(client.get(job).text)
    assert form[1] in job
    return form[2] is None


def test_certificate_and_moves_need_no_scripts(client: FlaskClient, work: DoWork) -> None:
    def read_moves(page: str) -> list[str]:
        elements = re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL)
        return [moves for element in elements for moves in re.findall(r">([UDLR]+)<", element)]

    hidden_part = re.compile(r'data-part="certificate"[^>]* hidden>')
    jobs = [make_job(client, "1 2 3 4 5 0 6 7 8"), make_job(client, FARTHEST_3X3, target="any")]
    for job in jobs:
        page = client.get(job).text
        assert hidden_part.search(page)
        assert not read_moves(page)
    work()
    proofs = ("a proof that no solution is shorter", "a proof that every solution has at least ")
    for job, proof in zip(jobs, proofs, strict=True):
        page = client.get(job).text
        assert not hidden_part.search(page)
        assert proof in page
        assert f'href="/api/v1{job}/certificate"' in page
        assert read_moves(page) == [client.get(f"/api/v1{job}/solution?format=udlr").text.strip()]
    assert len(read_moves(client.get(jobs[0]).text)[0]) == 13


def test_search_can_be_continued_by_any_reader(app: Flask, client: FlaskClient) -> None:
    for fields in (OPTIONS, {"target": "optimal", "metric": "slides"}):
        job = cancel_job(client, **fields)
        assert can_be_continued(client, job)
        guest = app.test_client()
        response = guest.post(f"{job}/again")
        assert response.status_code == 303
        assert response.location == job
        latest = guest.get("/api/v1/jobs?limit=1").json["jobs"][0]
        old_job = client.get(f"/api/v1{job}").json
        new_job = client.get(latest["links"]["self"]).json
        assert old_job["id"] != new_job["id"]
        assert {name: new_job[name] for name in FIELDS} == {name: old_job[name] for name in FIELDS}
        assert (old_job["state"], new_job["state"]) == ("cancelled", "queued")
        assert f"/jobs/{new_job['id']}" in guest.get("/history").text
        # The old URL now shows the new job to everyone.
        assert 'data-part="cancel"' in guest.get(job).text
        assert f'data-url="/api/v1/jobs/{new_job["id"]}"' in client.get(job).text
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        assert client.post(f"{job}/again", headers=headers).status_code == 403
    assert client.post(f"{UNKNOWN_JOB}/again").status_code == 404


def test_finished_search_cannot_be_continued(client: FlaskClient, work: DoWork) -> None:
    options = [{}, {"target": "any"}, {"target": "gap", "gap": "900"}]
    options += [{"algorithm": "constructive"}]
    jobs = [make_job(client, FARTHEST_3X3, **fields) for fields in options]
    assert not any(can_be_continued(client, job) for job in jobs)
    work()
    assert all(client.get(f"/api/v1{job}").json["finished_at"] for job in jobs)
    assert not any(can_be_continued(client, job) for job in jobs)
    solved_job = make_job(client, SOLVED_3X3)
    work()
    assert "no solution yet" not in client.get(f"{solved_job}/sheet").text
