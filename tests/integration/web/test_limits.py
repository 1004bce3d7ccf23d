from __future__ import annotations

import time

from flask import Flask

CHECK = "/api/v1/boards/check"
BOARD = {"board": "1 2 3 0"}


def test_over_the_rate_a_client_is_told_when_to_come_back(make_app) -> None:
    client = make_app(rate_limit="2/minute").test_client()
    assert [client.post(CHECK, json=BOARD).status_code for _ in range(3)] == [200, 200, 429]
    answer = client.post(CHECK, json=BOARD)
    assert answer.json["type"] == "urn:tilework:problem:rate"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


def test_who_comes_back_when_told_is_not_refused_again(make_app) -> None:
    client = make_app(rate_limit="1/2seconds").test_client()
    assert client.post(CHECK, json=BOARD).status_code == 200
    time.sleep(0.6)
    refusal = client.post(CHECK, json=BOARD)
    assert refusal.status_code == 429
    time.sleep(int(refusal.headers["Retry-After"]))
    assert client.post(CHECK, json=BOARD).status_code == 200


def test_reading_is_not_limited(make_app) -> None:
    client = make_app(rate_limit="1/hour").test_client()
    assert [client.get("/api/v1/jobs").status_code for _ in range(5)] == [200] * 5


def test_each_key_has_a_rate_of_its_own(make_app) -> None:
    app: Flask = make_app(rate_limit="1/hour")
    clients = app.extensions["tilework"].clients
    headers = [
        {"Authorization": f"Bearer {clients.create_key(name)[1]}"} for name in ("one", "two")
    ]
    client = app.test_client()
    answers = [client.post(CHECK, json=BOARD, headers=who) for who in headers * 2]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]


def test_forgetting_the_cookie_wins_nothing(make_app) -> None:
    app: Flask = make_app(rate_limit="1/hour")
    answers = [app.test_client().post(CHECK, json=BOARD) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_a_counter_that_is_away_takes_no_service_with_it(make_app) -> None:
    app: Flask = make_app(rate_limit="2/hour", rate_storage_url="redis://127.0.0.1:1/0")
    client = app.test_client()
    answers = [client.post(CHECK, json=BOARD) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
