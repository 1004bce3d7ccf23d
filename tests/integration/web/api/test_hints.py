import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, SOLVED_3X3, UNSOLVABLE_3X3, DoWork, MakeApp

HINTS = "/api/v1/hints"


def test_hint_is_a_tile_and_its_direction(
    client: FlaskClient, work: DoWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    hint = client.post(f"{HINTS}?wait=0", json={"board": EASY_3X3})
    assert (hint.status_code, hint.headers["Retry-After"]) == (202, "1")
    assert hint.json["moves"] is hint.json["tile"] is hint.json["upper_bound"] is None
    assert hint.headers["Location"] == f"/api/v1/jobs/{hint.json['job_id']}"
    assert client.get(hint.headers["Location"]).json["options"]["time_limit_s"] == 20
    other_request = {"board": [0, 1, 2, 3, 4, 5], "width": 3, "goal": [1, 0, 2, 3, 4, 5]}
    client.post(f"{HINTS}?wait=0", json=other_request)
    monkeypatch.setattr("tilework.web.api.hints.wait_for_change", lambda *_, **__: work())
    first, response = (client.post(HINTS, json={"board": EASY_3X3}) for _ in range(2))
    assert first.json["moves"] == "LL"
    assert response.status_code == 200
    expected = {"solved": False, "tile": 7, "direction": "left", "moves": "LL"}
    expected |= {"lower_bound": 2, "upper_bound": 2, "optimal": True, "job_id": None}
    expected |= {"read_as": None}
    assert response.json == expected
    hint = client.post(HINTS, json=other_request).json
    assert (hint["tile"], hint["direction"], hint["moves"]) == (1, "left", "L")


def test_invalid_board_is_rejected_as_for_jobs(client: FlaskClient, make_app: MakeApp) -> None:
    for body in (
        {"board": UNSOLVABLE_3X3},
        {"board": "1 2 x 0"},
        {"board": SOLVED_3X3, "goal": "home"},
        {"board": SOLVED_3X3, "seconds": 1},
    ):
        hint_response = client.post(HINTS, json=body)
        job_response = client.post("/api/v1/jobs", json=body)
        assert hint_response.status_code == job_response.status_code == 422
        assert hint_response.json | {"instance": ""} == job_response.json | {"instance": ""}
    for wait in ("-1", "soon"):
        assert client.post(f"{HINTS}?wait={wait}", json={"board": EASY_3X3}).status_code == 422
    client = make_app(rate_limit="1/minute").test_client()
    # Without an API key, all are counted by the address.
    responses = [client.post(HINTS, json={"board": SOLVED_3X3}) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 429]
