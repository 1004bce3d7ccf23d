import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update

from tests.integration.web.conftest import DoWork
from tilework.core.assembly import Services
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import pack
from tilework.core.storage.models import task

JOBS = "/api/v1/jobs"
BOARD = "8 1 3 4 0 2 7 6 5"


def submit(client: FlaskClient, algorithm: str, heuristic: str = "auto", **options: Any) -> Any:
    request = {"board": BOARD, "algorithm": algorithm, "heuristic": heuristic}
    return client.post(JOBS, json=request | options)


def test_each_algorithm_reports_its_run(client: FlaskClient, work: DoWork) -> None:
    for algorithm, heuristic, method, length, optimal in (
        ("greedy", "hamming", "greedy:hamming", 40, None),
        ("a-star", "hamming", "a-star:hamming", 14, True),
        ("lab-ida-star", "auto", "ida-star:manhattan", 14, True),
    ):
        response = submit(client, algorithm, heuristic)
        assert response.status_code == 202, response.text
        assert (response.json["state"], response.json["run"]["expanded"]) == ("queued", None)
        work()
        job = client.get(response.headers["Location"]).json
        assert (job["algorithm"], job["lower_bound"]) == (algorithm, 14 if optimal else 10)
        run = job["run"]
        assert (run["method"], run["optimal"], run["stopped_by"]) == (method, optimal, None)
        assert 0 < run["expanded"] < run["generated"] == job["nodes"]
        assert job["upper_bound"] <= length if optimal is None else job["upper_bound"] == length
        assert len(client.get(job["links"]["solution"]).json["moves"]) == job["upper_bound"]
        document = client.get(job["links"]["run"]).json
        assert {name: document[name] for name in run} == run
        certificate = client.get(job["links"]["certificate"]).json
        assert certificate["proof"] == "search in one process"
        assert certificate["lower_bound_proof"] == ("search" if optimal else "manhattan")


def test_published_heuristic_selects_its_algorithm(client: FlaskClient, work: DoWork) -> None:
    request = {"board": "1 2 3 4 5 0 6 7 8", "heuristic": "h1"}
    for options in ({}, {"fresh": True}):
        response = client.post(JOBS, json=request | options)
        work()
        run = client.get(response.headers["Location"]).json["run"]
        assert (run["method"], run["visited"], run["max_frontier"]) == (
            *("a-star-replace:hamming-blank", 165, 105),
        )
    solution = client.get(response.headers["Location"] + "/solution?format=words").text
    assert len(solution.split(",")) == 13


def test_only_an_identical_run_is_reused(client: FlaskClient, work: DoWork) -> None:
    url = submit(client, "depth-first-recursive", node_limit=500).headers["Location"]
    work()
    job = client.get(url).json
    assert (job["state"], job["message_code"]) == ("failed", "node-limit-reached")
    assert (job["run"]["stopped_by"], job["run"]["generated"]) == ("nodes", 500)
    for limit, status in ((500, 200), (501, 202)):
        assert submit(client, "depth-first-recursive", node_limit=limit).status_code == status


def test_cancelled_job_does_not_get_the_figures_of_a_shared_run(
    app: Flask, client: FlaskClient, work: DoWork
) -> None:
    cancelled, other = (
        submit(owner, "breadth-first").headers["Location"] for owner in (client, app.test_client())
    )
    assert client.delete(cancelled).json["state"] == "cancelled"
    work()
    runs = [client.get(url).json["run"] for url in (cancelled, other)]
    assert runs[0]["id"] == runs[1]["id"]
    assert (runs[0]["generated"], runs[1]["generated"] > 0) == (None, True)


def test_published_counts_are_given_with_the_solution(client: FlaskClient, work: DoWork) -> None:
    path = submit(client, "a-star-replace", "h2", board="7 5 8 2 3 4 1 0 6").headers["Location"]
    work()
    text = client.get(f"{path}/solution?format=eightpuzzle").text
    assert re.findall(r"## .*: (\w+)$", text, re.MULTILINE)[-4:] == ["4792", "2595", "27", "h2"]


def test_damaged_moves_of_a_run_are_never_returned(
    client: FlaskClient, work: DoWork, services: Services
) -> None:
    path = submit(client, "breadth-first").headers["Location"]
    work()
    links = client.get(path).json["links"]
    moves = client.get(links["solution"]).json["moves"]
    backward, incomplete = pack(from_letters(moves[::-1])), pack(from_letters(moves[:-1]))
    for data in (backward, incomplete, None, b"?" * 9):
        with services.storage.engine(writes=True).begin() as connection:
            connection.execute(update(task).values(solutions=data))
        response = client.get(links["solution"])
        assert response.status_code == 404
        assert response.json["type"] == "urn:tilework:problem:no-solution"
        assert client.get(links["certificate"]).status_code == 404
        assert client.get(path).status_code == 200
