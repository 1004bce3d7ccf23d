import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address
from itertools import pairwise
from typing import Any

import pytest

from tests.integration.worker.webhooks.conftest import CallbackFixture, MakeCallbacks
from tests.support.waiting import TIMEOUT_S
from tilework.core.links import with_job_links
from tilework.core.services.callback_rules import CallbackRules
from tilework.core.services.jobs.submit import DEFAULT_TIME_LIMIT_S
from tilework.core.services.tasks.callbacks import CallbackDelivery, CallbackRequest
from tilework.worker.webhooks import HttpCallbackSender


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """URL of a SQLite database: the tests of fairness run on both kinds."""
    return sqlite_url


def run_to_end(delivery: CallbackDelivery) -> None:
    while delivery.run_once("dead"):
        pass


def test_callback_is_sent_once_with_a_signature(callbacks: CallbackFixture) -> None:
    job = callbacks.request()
    assert callbacks.send_due() == 0
    callbacks.service.work()
    assert callbacks.send_due() == 1
    path, headers, body = callbacks.receiver.requests[0]
    assert path == "/ended?who=me"
    payload = json.loads(body)
    assert payload["id"] == job.id
    assert (payload["state"], payload["gap"], payload["message"]) == ("optimal", 0.0, None)
    assert payload["links"]["solution"] == f"/api/v1/jobs/{job.id}/solution"
    assert not {"board", "goal"} & set(payload)
    assert headers["webhook-id"] == job.id
    assert int(headers["webhook-timestamp"]) == int(callbacks.service.clock())
    assert "webhook-signature" not in headers  # the client has no secret
    assert headers["Content-Type"] == "application/json"
    [call] = callbacks.webhooks.deliveries(callbacks.service.client, 10)
    assert (call.job_id, call.state, call.attempts, call.error) == (job.id, "done", 1, None)
    assert callbacks.webhooks.deliveries(callbacks.service.clients.new(), 10) == []
    callbacks.service.clock.advance(100_000)
    assert callbacks.send_due() == 0


def test_failed_callback_is_retried_with_growing_pauses_until_a_limit(
    make_callbacks: MakeCallbacks,
) -> None:
    callbacks = make_callbacks(callback_patience_s=60)
    callbacks.receiver.responses += [404, "redirect", *[500] * 50]
    job = callbacks.request()
    callbacks.service.work()
    times = []
    for second in range(0, 400, 2):
        times += [second] * callbacks.send_due()
        callbacks.service.clock.advance(2)
    assert 4 <= len(times) <= 8
    waits = [later - earlier for earlier, later in pairwise(times)]
    assert waits == sorted(waits)
    assert waits[-1] > waits[0]
    # Only the last attempt is after the time limit.
    assert times[-2] < 60
    callbacks.service.clock.advance(100_000)
    assert callbacks.send_due() == 0
    # One delivery; no redirection is followed.
    requests = callbacks.receiver.requests
    calls = {(path, headers["webhook-id"]) for path, headers, _ in requests}
    assert calls == {("/ended?who=me", job.id)}
    [call] = callbacks.webhooks.deliveries(callbacks.service.client, 100)
    assert (call.job_id, call.state, call.attempts) == (job.id, "failed", len(times))
    assert str(call.error) == "it answered 500"


def test_every_end_of_a_job_sends_one_callback(callbacks: CallbackFixture) -> None:
    expired_job = callbacks.request()
    callbacks.service.advance_time(DEFAULT_TIME_LIMIT_S + 1)
    first = callbacks.request(key="a")
    assert callbacks.request(key="a").id == first.id
    cancelled_job = callbacks.request()
    callbacks.service.cancel(cancelled_job.id, callbacks.service.client)
    callbacks.service.work()
    cached_job = callbacks.request()
    assert cached_job.cached
    assert callbacks.send_due() == 4
    payloads = [json.loads(body) for _, _, body in callbacks.receiver.requests]
    ends = {payload["id"]: (payload["state"], payload["message_code"]) for payload in payloads}
    assert ends[expired_job.id] == ("expired", "time-is-up")
    states_in_order = [ends[job.id][0] for job in (first, cancelled_job, cached_job)]
    assert states_in_order == ["optimal", "cancelled", "optimal"]


def test_callback_of_a_dead_worker_is_sent_again(callbacks: CallbackFixture) -> None:
    callbacks.request()
    callbacks.service.work()

    def crash(_: CallbackRequest) -> int:
        raise SystemExit

    service = callbacks.service
    delivery = CallbackDelivery(service.database, service.settings, crash, with_job_links)
    assert delivery.run_once("dead")
    with pytest.raises(SystemExit):
        run_to_end(delivery)
    assert callbacks.send_due() == 0
    service.clock.advance(service.settings.callback_timeout_s + service.settings.lease_s + 1)
    service.reconcile.run_once()
    assert callbacks.send_due() == 0
    service.clock.advance(10)  # the pause before a second attempt
    assert callbacks.send_due() == 1


def test_forbidden_and_private_hosts_get_no_callbacks(make_callbacks: MakeCallbacks) -> None:
    callbacks = make_callbacks()
    callbacks.request()
    callbacks.service.work()
    # The hosts are checked against the current settings.
    assert make_callbacks(callback_hosts="hooks.example").send_due() == 0
    assert callbacks.send_due() == 0  # it was abandoned
    # The name is allowed, but not the address that it resolves to.
    origin = callbacks.receiver.url.replace("127.0.0.1", "localhost")
    callbacks = make_callbacks(callback_hosts=origin)
    callbacks.request(f"{origin}/ended")
    callbacks.service.work()
    assert callbacks.send_due() == 0
    callbacks = make_callbacks(callback_hosts=origin, callback_private=True)
    callbacks.service.clock.advance(60)
    assert callbacks.send_due() == 1


def test_every_address_of_a_host_is_checked(
    make_callbacks: MakeCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(*_: object) -> list[IPv4Address]:
        return [IPv4Address("8.8.8.8"), IPv4Address("127.0.0.1")]

    async def post(*_: object) -> int:
        return 200

    monkeypatch.setattr(HttpCallbackSender, "_resolve", resolve)
    monkeypatch.setattr(HttpCallbackSender, "_post", post)
    settings = make_callbacks(callback_hosts="https://hooks.example").service.settings
    url = CallbackRules(settings).check("https://hooks.example/ended")
    # In a separate thread: the browser of other tests may have an event loop in this one.
    with ThreadPoolExecutor(1) as pool:
        request = CallbackRequest(url, {}, b"")
        error = pool.submit(HttpCallbackSender(settings), request).result()
    assert error == "hooks.example has an address that is not public"


def test_another_address_of_a_host_is_called_if_the_first_is_unreachable(
    make_callbacks: MakeCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(*_: object) -> list[IPv4Address]:
        return [IPv4Address("127.0.0.2"), IPv4Address("127.0.0.1")]

    monkeypatch.setattr(HttpCallbackSender, "_resolve", resolve)
    callbacks = make_callbacks(callback_private=True)
    callbacks.request()
    callbacks.service.work()
    assert callbacks.send_due() == 1


def test_callback_does_not_wait_for_a_lookup_that_hangs(
    make_callbacks: MakeCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = {"callback_hosts": "https://hooks.example", "callback_timeout_s": 0.1}
    settings = make_callbacks(**changes).service.settings
    url = CallbackRules(settings).check("https://hooks.example/ended")
    answered = threading.Event()
    lookups = []

    def look_up(host: str, *_: object, **__: object) -> list[Any]:
        lookups.append(host)
        answered.wait(TIMEOUT_S)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    sender = HttpCallbackSender(settings)
    with ThreadPoolExecutor(1) as pool:
        try:
            for _ in range(3):
                sent = pool.submit(sender, CallbackRequest(url, {}, b""))
                assert sent.result(TIMEOUT_S) == "no answer within 0.1 s"
        finally:
            answered.set()
    assert lookups == ["hooks.example"]  # those that hang are not repeated


def test_unanswered_callbacks_are_retried(make_callbacks: MakeCallbacks) -> None:
    callbacks = make_callbacks(callback_timeout_s=0.5, callback_hosts="http://127.0.0.1:1")
    callbacks.request("http://127.0.0.1:1/ended")
    callbacks.service.work()
    assert callbacks.send_due() == 0
    callbacks.service.clock.advance(10)
    with callbacks.service.database.reading() as session:
        assert session.tasks.due_callbacks(callbacks.service.clock())

    callbacks = make_callbacks(callback_timeout_s=0.5)
    callbacks.receiver.responses.append("drip")
    callbacks.request()
    callbacks.service.work()
    # On a busy machine, the timeout may expire before anything is sent.
    while len(callbacks.receiver.requests) < 2:
        callbacks.send_due()
        callbacks.service.clock.advance(60)
    assert callbacks.receiver.disconnected.wait(240)


def test_nothing_that_a_receiver_sends_is_shown_but_its_status(callbacks: CallbackFixture) -> None:
    answers = (
        b"Kanarienvogel\r\n\r\n",
        b"HTTP/1.1 299 Kanarienvogel\r\nX-Kanarienvogel: 1\r\n\r\nKanarienvogel",
        b"HTTP/1.1 500 Kanarienvogel\r\n\r\nKanarienvogel",
        b"HTTP/1.1 200 OK\r\nKanarienvogel\r\n\r\n",
        b"HTTP/1.1 Kanarienvogel OK\r\n\r\n",
        b"HTTP/1.1 302 \r\nLocation: http://127.0.0.1/Kanarienvogel\r\n\r\n",
        b"",
    )
    callbacks.receiver.responses += answers
    jobs = [callbacks.request() for _ in answers]
    callbacks.service.work()
    assert callbacks.send_due() == len(answers)
    calls = callbacks.webhooks.deliveries(callbacks.service.client, 10)
    assert {call.job_id for call in calls} == {job.id for job in jobs}
    assert "Kanarien" not in f"{calls}"
    assert [call.state for call in calls].count("done") == 1  # the one that answered 299
