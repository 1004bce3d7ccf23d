"""The delivery of callbacks by HTTP to a server of the tests."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.support.http_server import read_body, respond, serve
from tests.support.services.scripted_solver import BOARD, GOAL
from tests.support.services.service_fixture import ServiceFixture, make_service_fixture
from tilework.core.links import with_job_links
from tilework.core.services.jobs.submit import Submission
from tilework.core.services.tasks.callbacks import CallbackDelivery
from tilework.core.services.webhooks import Webhooks
from tilework.core.storage.database import Database
from tilework.worker.webhooks import HttpCallbackSender


@dataclass
class Receiver:
    """A server that records its requests; it sends the scripted responses, and then 200."""

    url: str = ""
    responses: list[int | str | bytes] = field(default_factory=list)
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    disconnected: threading.Event = field(default_factory=threading.Event)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        self.requests.append((request.path, dict(request.headers), read_body(request)))
        response = self.responses.pop(0) if self.responses else 200
        if response == "drip":
            request.wfile.write(b"HTTP/1.1 200 OK\r\n")
            try:
                while not self.disconnected.wait(0.01):
                    request.wfile.write(b"X-Drip: 1\r\n")
            except OSError:
                self.disconnected.set()
        elif isinstance(response, bytes):
            request.wfile.write(response)
            request.close_connection = True
        elif response == "redirect":
            respond(request, 302, b"ok", Location=f"{self.url}/elsewhere")
        else:
            respond(request, int(response), b"ok")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    with serve(receiver.answer) as receiver.url:
        yield receiver


@dataclass
class CallbackFixture:
    """All services, and the delivery of callbacks."""

    service: ServiceFixture
    receiver: Receiver
    deliver: CallbackDelivery
    webhooks: Webhooks

    def request(
        self, url: str | None = None, key: str | None = None, client: str | None = None
    ) -> Any:
        url = url or f"{self.receiver.url}/ended?who=me"
        client = client or self.service.client
        options = {"client_id": client, "callback_url": url, "idempotency_key": key}
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
        values = {
            "callback_hosts": receiver.url,
            "callback_secret": "a secret of the operator",
            **changes,
        }
        service = make_service_fixture(database, tmp_path, **values)
        sender = HttpCallbackSender(service.settings)
        delivery = CallbackDelivery(database, service.settings, sender, with_job_links)
        webhooks = Webhooks(database, service.settings)
        return CallbackFixture(service, receiver, delivery, webhooks)

    return make


@pytest.fixture
def callbacks(make_callbacks: MakeCallbacks) -> CallbackFixture:
    return make_callbacks()
