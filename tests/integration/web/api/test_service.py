from __future__ import annotations

import time
from collections.abc import Callable

from flask.testing import FlaskClient

EASY = {"board": "1 2 3 4 5 6 0 7 8"}

Work = Callable[[], None]


def test_queues_tell_what_waits(client: FlaskClient, work: Work) -> None:
    client.post("/api/v1/jobs", json=EASY)
    queues = {queue["name"]: queue for queue in client.get("/api/v1/queues").json["queues"]}
    assert set(queues) == {"interactive", "quick-analysis", "batch", "analysis", "lab", "search"}
    assert queues["interactive"]["ready"] == 1
    work()
    queues = client.get("/api/v1/queues").json["queues"]
    assert all(queue["ready"] == queue["leased"] == 0 for queue in queues)


def test_statistics_count_puzzles_and_cache_hits(client: FlaskClient, work: Work) -> None:
    client.post("/api/v1/jobs", json=EASY)
    work()
    client.post("/api/v1/jobs", json=EASY)
    statistics = client.get("/api/v1/statistics").json
    assert (statistics["total_jobs"], statistics["cached_jobs"]) == (2, 1)
    assert statistics["jobs"] == {"optimal": 2}
    assert statistics["sizes"] == [
        {"width": 3, "height": 3, "puzzles": 1, "solved": 1, "optimal": 1, "longest": 2}
        | {"best_ratio": None, "mean_ratio": None}
    ]


def test_a_system_that_works_is_healthy_and_ready(client: FlaskClient) -> None:
    assert client.get("/healthz").json == {"status": "ok"}
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (200, {"ready": True, "reasons": []})


def test_a_system_whose_work_nobody_claims_is_not_ready(make_app) -> None:
    client = make_app(unclaimed_s=0.05).test_client()
    client.post("/api/v1/jobs", json=EASY)
    time.sleep(0.1)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json["ready"]) == (503, False)
    assert answer.json["reasons"]
    assert client.get("/healthz").status_code == 200


def test_a_system_without_its_database_is_not_ready(make_app) -> None:
    client = make_app(database_url="postgresql://nobody@127.0.0.1:1/none").test_client()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json["ready"]) == (503, False)
    assert client.get("/healthz").status_code == 200
