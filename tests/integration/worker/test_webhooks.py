"""Callbacks at the end of a job, sent by HTTP to a server of this test."""

import json
import re
import threading
from base64 import b64decode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.services.scripted_solver import BOARD, GOAL
from tests.support.services.service_fixture import ServiceFixture, make_service_fixture
from tilework.core.errors import ForbiddenError, OptionError
from tilework.core.model.tasks import CALLBACK_QUEUE
from tilework.core.model.webhooks import PREVIOUS_SECRET_S
from tilework.core.services.callback_rules import CallbackRules
from tilework.core.services.jobs.submission import Submission
from tilework.core.services.tasks.callbacks import CallbackDelivery, CallbackRequest
from tilework.core.services.webhook_signatures import signature
from tilework.core.services.webhooks import Webhooks
from tilework.core.storage.database import Database
from tilework.worker.webhooks import HttpCallbackSender

SECRET = "a secret of the operator"
API_PAGE = Path(__file__).parents[3] / "docs" / "api.md"


@dataclass
class Receiver:
    """A server that records its requests; it sends the scripted responses, and then 200."""

    port: int = 0
    responses: list[int | str] = field(default_factory=list)
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    disconnected: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.requests.append((self.path, dict(self.headers), body))
            response = receiver.responses.pop(0) if receiver.responses else 200
            if response == "drip":
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                try:
                    while not receiver.disconnected.wait(0.01):
                        self.wfile.write(b"X-Drip: 1\r\n")
                except OSError:
                    receiver.disconnected.set()
                return
            self.send_response(302 if response == "redirect" else int(response))
            if response == "redirect":
                self.send_header("Location", f"{receiver.url}/elsewhere")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield receiver
    server.shutdown()
    thread.join()
    server.server_close()


@dataclass
class CallbackFixture:
    """All services, and the delivery of callbacks."""

    service: ServiceFixture
    receiver: Receiver
    deliver: CallbackDelivery
    webhooks: Webhooks

    def request(self, url: str | None = None, key: str | None = None) -> Any:
        url = url or f"{self.receiver.url}/ended?who=me"
        options = {"client_id": self.service.client, "callback_url": url, "idempotency_key": key}
        return self.service.submit(Submission(boards=[(BOARD, GOAL)], **options))

    def send_due(self) -> int:
        """Send the callbacks that are due; return how many were received."""
        count_before = len(self.receiver.requests)
        # In a thread with its own event loop, as in a worker.
        with ThreadPoolExecutor(1) as thread:
            while thread.submit(self.deliver.run_once, "caller").result():
                pass
        return len(self.receiver.requests) - count_before


MakeCallbacks = Callable[..., CallbackFixture]


@pytest.fixture
def make_callbacks(database: Database, tmp_path: Path, receiver: Receiver) -> MakeCallbacks:
    def make(**changes: Any) -> CallbackFixture:
        values = {"callback_hosts": receiver.url, "callback_secret": SECRET, **changes}
        service = make_service_fixture(database, tmp_path, **values)
        sender = HttpCallbackSender(service.settings)
        delivery = CallbackDelivery(database, service.settings, sender)
        webhooks = Webhooks(database, service.settings)
        return CallbackFixture(service, receiver, delivery, webhooks)

    return make


@pytest.fixture
def callbacks(make_callbacks: MakeCallbacks) -> CallbackFixture:
    return make_callbacks()


on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


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
    callbacks.service.clock.advance(100_000)
    assert callbacks.send_due() == 0


def test_signature_is_that_of_the_specification() -> None:
    # Published with its reference implementations.
    key = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    value = signature([key], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert value == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_documented_verification_accepts_only_recent_calls_with_the_secret(
    callbacks: CallbackFixture,
) -> None:
    clock, client = callbacks.service.clock, callbacks.service.client
    [example] = re.findall(r"(?ms)^```python\n(.*?)^```$", API_PAGE.read_text())
    namespace: dict[str, Any] = {}
    exec(example, namespace)
    namespace["time"] = SimpleNamespace(time=clock)

    def verify(secret: str, **changes: str) -> bool:
        _, headers, body = callbacks.receiver.requests[-1]
        return bool(namespace["is_genuine"](secret, headers | changes, body))

    def call() -> dict[str, str]:
        callbacks.request()
        callbacks.service.work()
        assert callbacks.send_due() == 1
        return callbacks.receiver.requests[-1][1]

    first = callbacks.webhooks.rotate_secret(client)
    other_secret = callbacks.webhooks.rotate_secret(callbacks.service.clients.new())
    callbacks.webhooks.set_headers(client, {"Authorization": "Bearer t", "X-Team": "a b"})
    headers = call()
    assert (headers["Authorization"], headers["X-Team"]) == ("Bearer t", "a b")
    assert verify(first)
    assert not verify(other_secret)
    for name, value in (("id", "other"), ("timestamp", str(int(clock()) + 1)), ("signature", "")):
        assert not verify(first, **{f"webhook-{name}": value})
    clock.advance(301)
    assert not verify(first)
    second = callbacks.webhooks.rotate_secret(client)
    for accepts_previous_secret in (True, False):
        call()
        assert verify(second)
        assert verify(first) is accepts_previous_secret
        clock.advance(PREVIOUS_SECRET_S)


@on_sqlite
def test_clients_repeat_their_own_calls(make_callbacks: MakeCallbacks) -> None:
    callbacks = make_callbacks(callback_patience_s=1e6)
    client, redeliver = callbacks.service.client, callbacks.webhooks.redeliver
    job = callbacks.request()
    with pytest.raises(OptionError, match="still running"):
        redeliver(client, job.id)
    callbacks.service.work()
    callbacks.receiver.responses += [200, 500]
    assert callbacks.send_due() == 1
    for _ in range(2):  # repeats a call that succeeded, then one that waits for its next attempt
        redeliver(client, job.id)
        redeliver(client, job.id)
        assert callbacks.send_due() == 1
    log = callbacks.webhooks.deliveries(client, 10, job_id=job.id)
    assert [(entry.attempt, entry.status) for entry in log] == [(2, 200), (1, 500), (1, 200)]
    assert callbacks.webhooks.deliveries(client, 10, before=log[0].id) == log[1:]
    assert {headers["webhook-id"] for _, headers, _ in callbacks.receiver.requests} == {job.id}
    other_client = callbacks.service.clients.new()
    assert callbacks.webhooks.deliveries(other_client, 10) == []
    with pytest.raises(ForbiddenError):
        redeliver(other_client, job.id)
    with pytest.raises(OptionError, match="without callback_url"):
        redeliver(client, callbacks.service.request(BOARD).id)
    with pytest.raises(OptionError, match="not allowed to call"):
        make_callbacks(callback_hosts="hooks.example").webhooks.redeliver(client, job.id)


@on_sqlite
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
    log = callbacks.webhooks.deliveries(callbacks.service.client, 100)
    assert [entry.attempt for entry in reversed(log)] == list(range(1, len(times) + 1))
    assert [entry.status for entry in log[-3:]] == [500, 302, 404]
    assert (log[-1].job_id, log[-1].error) == (job.id, "it answered 404")


@on_sqlite
def test_every_end_of_a_job_sends_one_callback(callbacks: CallbackFixture) -> None:
    first = callbacks.request(key="a")
    assert callbacks.request(key="a").id == first.id
    cancelled_job = callbacks.request()
    callbacks.service.cancel(cancelled_job.id, callbacks.service.client)
    callbacks.service.work()
    cached_job = callbacks.request()
    assert cached_job.cached
    assert callbacks.send_due() == 3
    payloads = [json.loads(body) for _, _, body in callbacks.receiver.requests]
    states = {payload["id"]: payload["state"] for payload in payloads}
    states_in_order = [states[job.id] for job in (first, cancelled_job, cached_job)]
    assert states_in_order == ["optimal", "cancelled", "optimal"]


@on_sqlite
def test_expired_job_sends_a_callback(callbacks: CallbackFixture) -> None:
    job = callbacks.request()
    callbacks.service.advance_time(callbacks.service.settings.default_time_limit_s + 1)
    assert callbacks.send_due() == 1
    payload = json.loads(callbacks.receiver.requests[0][2])
    fields = [payload[name] for name in ("id", "state", "message_code")]
    assert fields == [job.id, "expired", "time-is-up"]


@on_sqlite
def test_callback_of_a_dead_worker_is_sent_again(callbacks: CallbackFixture) -> None:
    callbacks.request()
    callbacks.service.work()

    def crash(calls: Any) -> Any:
        raise SystemExit

    service = callbacks.service
    with pytest.raises(SystemExit):
        CallbackDelivery(service.database, service.settings, crash).run_once("dead")
    assert callbacks.send_due() == 0
    service.clock.advance(service.settings.callback_timeout_s + service.settings.lease_s + 1)
    service.reconcile.run_once()
    assert callbacks.send_due() == 0
    service.clock.advance(10)  # the pause before a second attempt
    assert callbacks.send_due() == 1


@on_sqlite
def test_forbidden_and_private_hosts_get_no_callbacks(make_callbacks: MakeCallbacks) -> None:
    callbacks = make_callbacks()
    callbacks.request()
    callbacks.service.work()
    # The hosts are checked against the current settings.
    assert make_callbacks(callback_hosts="hooks.example").send_due() == 0
    assert callbacks.send_due() == 0  # it was abandoned
    # The name is allowed, but not the address that it resolves to.
    origin = f"http://localhost:{callbacks.receiver.port}"
    callbacks = make_callbacks(callback_hosts=origin)
    callbacks.request(f"{origin}/ended")
    callbacks.service.work()
    assert callbacks.send_due() == 0
    callbacks = make_callbacks(callback_hosts=origin, callback_private=True)
    callbacks.service.clock.advance(60)
    assert callbacks.send_due() == 1


@on_sqlite
def test_every_address_of_a_host_is_checked(
    make_callbacks: MakeCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def resolve(*_: object) -> list[IPv4Address]:
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
        [error] = pool.submit(HttpCallbackSender(settings), [request]).result()
    assert error == "hooks.example has an address that is not public"


@on_sqlite
def test_unanswered_callbacks_are_retried(make_callbacks: MakeCallbacks) -> None:
    callbacks = make_callbacks(callback_timeout_s=0.5, callback_hosts="http://127.0.0.1:1")
    callbacks.request("http://127.0.0.1:1/ended")
    callbacks.service.work()
    assert callbacks.send_due() == 0
    callbacks.service.clock.advance(10)
    with callbacks.service.database.reading() as session:
        assert session.tasks.has_due(CALLBACK_QUEUE, callbacks.service.clock())

    callbacks = make_callbacks(callback_timeout_s=0.5)
    callbacks.receiver.responses.append("drip")
    callbacks.request()
    callbacks.service.work()
    # On a busy machine, the timeout may expire before anything is sent.
    while len(callbacks.receiver.requests) < 2:
        callbacks.send_due()
        callbacks.service.clock.advance(60)
    assert callbacks.receiver.disconnected.wait(240)
