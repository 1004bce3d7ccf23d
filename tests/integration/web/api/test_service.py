import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, DoWork, MakeApp

REQUEST = {"board": EASY_3X3}


def test_queues_and_statistics_report_the_work(client: FlaskClient, work: DoWork) -> None:
    client.post("/api/v1/jobs", json=REQUEST)
    queues = {queue["name"]: queue for queue in client.get("/api/v1/queues").json["queues"]}
    assert set(queues) == {"interactive", "quick-analysis", "batch", "analysis", "lab", "search"}
    assert queues["interactive"]["ready"] == 1
    work()
    queues = client.get("/api/v1/queues").json["queues"]
    assert all(queue["ready"] == queue["leased"] == 0 for queue in queues)
    client.post("/api/v1/jobs", json=REQUEST)
    statistics = client.get("/api/v1/statistics").json
    assert (statistics["total_jobs"], statistics["cached_jobs"]) == (2, 1)
    assert statistics["jobs"] == {"optimal": 2}
    assert statistics["sizes"] == [
        {"width": 3, "height": 3, "puzzles": 1, "solved": 1, "optimal": 1, "longest": 2}
        | {"best_ratio": None, "mean_ratio": None}
    ]


def test_system_is_ready_if_work_is_claimed_and_the_database_responds(
    client: FlaskClient, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json == {"ready": True, "reasons": [], "preparing_s": None}
    monkeypatch.setattr("tilework.core.services.health.UNCLAIMED_S", 60.0)
    app = make_app()
    unclaimed_client = app.test_client()
    unclaimed_client.post("/api/v1/jobs", json=REQUEST)
    assert unclaimed_client.get("/readyz").status_code == 200
    services = app.extensions["tilework"]
    late_time = services.storage.clock() + 61
    monkeypatch.setattr(services.health, "_clock", lambda: late_time)
    unreachable_client = make_app(database_url="postgresql://nobody@127.0.0.1:1/none").test_client()
    for unready_client in (unclaimed_client, unreachable_client):
        response = unready_client.get("/readyz")
        assert (response.status_code, response.json["ready"]) == (503, False)
        assert response.json["reasons"]
        assert unready_client.get("/healthz").json == {"status": "ok"}
