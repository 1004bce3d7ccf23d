"""Receivers that hang or fail do not delay calls to others."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from tests.integration.worker.webhooks.conftest import CallbackFixture, MakeCallbacks
from tests.support.waiting import TIMEOUT_S, wait_until
from tilework.core.links import with_job_links
from tilework.core.services.tasks.callbacks import CallbackDelivery, CallbackRequest

HOSTS = [f"http://{name}.example" for name in ("slow", "other", "third")]


@dataclass
class Receivers:
    """Receivers by path: ``/hang`` answers once it is released, ``/fail`` breaks, others answer."""

    released: threading.Event = field(default_factory=threading.Event)
    started: list[str] = field(default_factory=list)

    def __call__(self, call: CallbackRequest) -> int:
        self.started.append(f"{call.url.origin.host}{call.url.target}")
        if call.url.target.startswith("/hang"):
            assert self.released.wait(TIMEOUT_S)
        if call.url.target.startswith("/fail"):
            raise UnicodeError("label empty or too long")
        return 200


@pytest.fixture
def receivers() -> Iterator[Receivers]:
    receivers = Receivers()
    yield receivers
    receivers.released.set()


@pytest.fixture
def callbacks(make_callbacks: MakeCallbacks) -> CallbackFixture:
    return make_callbacks(callback_hosts=" ".join(HOSTS))


def make_delivery(callbacks: CallbackFixture, receivers: Receivers) -> CallbackDelivery:
    return CallbackDelivery(
        callbacks.service.database, callbacks.service.settings, receivers, with_job_links
    )


def solve(callbacks: CallbackFixture, receivers: Receivers) -> None:
    """Solve the board once, so that requests for it are answered at once."""
    callbacks.request(f"{HOSTS[1]}/first")
    callbacks.service.work()
    deliver_until(make_delivery(callbacks, receivers), lambda: bool(receivers.started))


def deliver_until(delivery: CallbackDelivery, is_reached: Callable[[], bool]) -> None:
    def run_round() -> bool:
        delivery.run_once("caller")
        return is_reached()

    wait_until(run_round)


def is_delivered(callbacks: CallbackFixture, client: str) -> bool:
    return any(call.state == "done" for call in callbacks.webhooks.deliveries(client, 10))


def test_calls_of_a_client_that_hang_do_not_delay_those_of_another(
    callbacks: CallbackFixture, receivers: Receivers
) -> None:
    solve(callbacks, receivers)
    hostile, other = (callbacks.service.clients.new() for _ in range(2))
    for number in range(500):
        callbacks.request(f"{HOSTS[number % 2]}/hang/{number}", client=hostile)
    workers = [make_delivery(callbacks, receivers) for _ in range(2)]
    for worker in workers:
        worker.run_once("caller")
    callbacks.service.clock.advance(1)
    for number in range(20):
        callbacks.request(f"{HOSTS[number % 2]}/answer", client=other)
    for worker in workers:
        deliver_until(worker, lambda: receivers.started.count("slow.example/answer") == 10)
    deliver_until(workers[0], lambda: is_delivered(callbacks, other))
    assert not is_delivered(callbacks, hostile)
    hanging = sum("/hang" in path for path in receivers.started)
    assert 0 < hanging <= 20  # of both workers
    receivers.released.set()
    for worker in workers * 2:  # what one has stored makes room for the other
        while worker.run_once("caller"):
            pass
    assert len(set(receivers.started)) == 500 + 3


def test_host_that_hangs_for_many_clients_leaves_room_for_others(
    callbacks: CallbackFixture, receivers: Receivers
) -> None:
    solve(callbacks, receivers)
    for number in range(100):
        client = callbacks.service.clients.new()
        callbacks.request(f"{HOSTS[0]}/hang/{number}", client=client)
        callbacks.request(f"{HOSTS[1]}/hang/{number}", client=client)
    delivery = make_delivery(callbacks, receivers)
    delivery.run_once("caller")
    callbacks.service.clock.advance(1)
    last = callbacks.service.clients.new()
    callbacks.request(f"{HOSTS[2]}/answer", client=last)
    deliver_until(delivery, lambda: is_delivered(callbacks, last))
    by_host = Counter(path.partition("/")[0] for path in receivers.started if "/hang" in path)
    assert 0 < by_host["slow.example"] <= 20
    assert not receivers.released.is_set()


def test_call_that_cannot_be_sent_does_not_delay_others(
    callbacks: CallbackFixture, receivers: Receivers
) -> None:
    failing = [callbacks.request(f"{HOSTS[0]}/fail/{number}") for number in range(3)]
    callbacks.request(f"{HOSTS[0]}/answer")
    callbacks.service.work()
    delivery, client = make_delivery(callbacks, receivers), callbacks.service.client

    def count_attempts() -> int:
        calls = callbacks.webhooks.deliveries(client, 10)
        return sum(call.attempts for call in calls if call.state != "running")

    deliver_until(delivery, lambda: count_attempts() == 4)
    [first] = [
        call for call in callbacks.webhooks.deliveries(client, 10) if call.job_id == failing[0].id
    ]
    assert (first.state, str(first.error)) == ("queued", "the service failed to send it")
    # Each is repeated until the time for that has passed.
    callbacks.service.clock.advance(callbacks.service.settings.callback_patience_s)
    deliver_until(delivery, lambda: count_attempts() == 7)
    callbacks.service.clock.advance(1e6)
    assert not delivery.run_once("caller")
    assert len(receivers.started) == 7
