"""Jobs that ask for a textbook search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import update

from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import pack
from tilework.core.storage.models import search_run

JOBS = "/api/v1/jobs"
BOARD = "8 1 3 4 0 2 7 6 5"
Work = Callable[[], None]


def submit(client: FlaskClient, algorithm: str, heuristic: str = "auto", **more: Any) -> Any:
    request = {"board": BOARD, "algorithm": algorithm, "heuristic": heuristic}
    return client.post(JOBS, json=request | more)


@pytest.mark.parametrize(
    ("algorithm", "heuristic", "method", "length", "promised"),
    [
        ("greedy", "hamming", "greedy:hamming", 40, None),
        ("breadth-first", "auto", "breadth-first", 14, True),
        ("a-star", "hamming", "a-star:hamming", 14, True),
        ("lab-a-star", "manhattan", "a-star:manhattan", 14, True),
        ("lab-ida-star", "auto", "ida-star:manhattan", 14, True),
    ],
)
def test_each_algorithm_tells_what_it_did(
    client: FlaskClient,
    lab_work: Work,
    algorithm: str,
    heuristic: str,
    method: str,
    length: int,
    promised: bool | None,
) -> None:
    answer = submit(client, algorithm, heuristic)
    assert answer.status_code == 202, answer.text
    place = answer.headers["Location"]
    assert (answer.json["state"], answer.json["run"]["expanded"]) == ("queued", None)
    lab_work()
    job = client.get(place).json
    assert (job["algorithm"], job["lower_bound"]) == (algorithm, 10)
    run = job["run"]
    assert (run["method"], run["optimal"], run["stopped_by"]) == (method, promised, None)
    assert 0 < run["expanded"] < run["generated"] == job["nodes"]
    assert run["max_frontier"] > 0
    assert job["upper_bound"] <= length if promised is None else job["upper_bound"] == length
    solution = client.get(job["links"]["solution"]).json
    assert len(solution["moves"]) == job["upper_bound"]
    alone = client.get(job["links"]["run"]).json
    assert {name: alone[name] for name in run} == run
    certificate = client.get(job["links"]["certificate"]).json
    assert (certificate["proof"], certificate["lower_bound_proof"]) == (
        "search in one process",
        "manhattan",
    )


def test_what_the_solver_knows_is_no_answer_and_the_same_run_is(
    client: FlaskClient, lab_work: Work, services: Any
) -> None:
    first = submit(client, "depth-first-recursive", node_limit=500)
    assert first.status_code == 202
    lab_work()
    job = client.get(first.headers["Location"]).json
    assert (job["state"], job["message_code"]) == ("failed", "node-limit-reached")
    assert (job["run"]["stopped_by"], job["run"]["generated"]) == ("nodes", 500)
    again = submit(client, "depth-first-recursive", node_limit=500)
    assert (again.status_code, again.json["cached"]) == (200, True)
    assert again.json["run"] == job["run"]


def test_a_solution_comes_with_an_answer_at_once(client: FlaskClient, lab_work: Work) -> None:
    submit(client, "weighted-a-star", weight=3)
    lab_work()
    answer = submit(client, "weighted-a-star", "manhattan", weight=3)
    assert (answer.status_code, answer.json["run"]["method"]) == (
        200,
        "weighted-a-star:manhattan:3",
    )
    assert len(answer.json["moves"]) == answer.json["upper_bound"]


def test_one_who_cancels_waits_no_more(client: FlaskClient, lab_work: Work) -> None:
    place = submit(client, "beam", "hamming", beam_width=7).headers["Location"]
    assert client.delete(place).json["state"] == "cancelled"
    assert client.get(JOBS).json["jobs"][0]["run"]["method"] == "beam:hamming:7"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"algorithm": "dijkstra"}, "'dijkstra' is not available; choose from auto, a-star"),
        ({"algorithm": "greedy", "heuristic": "best"}, "'best' is not available; choose from"),
        ({"algorithm": "auto", "heuristic": "hamming"}, "auto is none of them"),
        ({"algorithm": "breadth-first", "heuristic": "hamming"}, "breadth-first uses no heuristic"),
        ({"algorithm": "greedy", "weight": 2}, "greedy takes no weight; leave out 2"),
        ({"algorithm": "a-star", "beam_width": 2}, "a-star takes no width; leave out 2"),
        ({"algorithm": "ida-star", "node_limit": 2}, "ida-star takes no node_limit"),
        ({"algorithm": "auto", "memory_limit_mb": 2}, "auto takes no memory_limit_mb"),
        ({"algorithm": "greedy", "target": "any"}, "greedy takes no target"),
        ({"algorithm": "greedy", "time_limit_s": 61}, "invalid time limit 61 s"),
    ],
)
def test_what_does_not_go_together_is_refused(
    client: FlaskClient, options: dict[str, Any], words: str
) -> None:
    answer = client.post(JOBS, json={"board": BOARD} | options)
    assert answer.status_code == 422
    assert words in answer.json["detail"]
    assert client.get(JOBS).json["jobs"] == []


@pytest.mark.parametrize(
    ("board", "visited", "frontier", "length"),
    [("1 2 3 4 5 6 7 0 8", 2, 3, 1), ("7 5 8 2 3 4 1 0 6", 4_792, 2_595, 27)],
)
def test_the_published_figures_stand_beside_the_solution(
    client: FlaskClient, lab_work: Work, board: str, visited: int, frontier: int, length: int
) -> None:
    answer = submit(client, "a-star-replace", "h2", board=board)
    lab_work()
    job = client.get(answer.headers["Location"]).json
    text = client.get(f"{job['links']['solution']}?format=eightpuzzle").text
    assert text.splitlines()[-4:] == [
        f"## Número de nodos visitados: {visited}",
        f"## Maior quantidade de nodos na fronteira: {frontier}",
        f"## Número de passos: {length}",
        "## Heurística utilizada: h2",
    ]


@pytest.mark.parametrize("damage", ["other moves", "fewer moves", "no moves", "noise"])
def test_damaged_moves_of_a_run_are_never_told(
    client: FlaskClient, lab_work: Work, services: Any, damage: str
) -> None:
    place = submit(client, "breadth-first").headers["Location"]
    lab_work()
    links = client.get(place).json["links"]
    good = client.get(links["solution"]).json["moves"]
    packed = {
        "other moves": pack(from_letters(good[::-1])),
        "fewer moves": pack(from_letters(good[:-1])),
        "no moves": None,
        "noise": b"?" * 9,
    }[damage]
    with services.storage.writing() as session:
        session._connection.execute(update(search_run).values(moves=packed))
    answer = client.get(links["solution"])
    assert (answer.status_code, answer.json["type"]) == (404, "urn:tilework:problem:no-solution")
    assert client.get(links["certificate"]).status_code == 404
    assert client.get(place).status_code == 200
