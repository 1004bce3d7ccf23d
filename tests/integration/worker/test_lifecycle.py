import signal
from typing import Any

from tests.integration.worker.conftest import on_every_server
from tilework.worker.tickets import CeleryTickets

pytestmark = on_every_server


def test_queues_are_served_in_the_given_order(broker: Any) -> None:
    tickets = CeleryTickets(broker.url)
    with broker.recording_worker("interactive,batch,search") as process:
        broker.redis.set("block", "1")
        tickets.send("search")
        assert broker.wait_for_notes(1) == ["search"]
        for queue in ("search", "batch", "interactive", "lab"):
            tickets.send(queue, 3)
        # A busy worker leaves tickets in the broker, where others can take them.
        assert [tickets.depth(queue) for queue in ("search", "batch", "interactive")] == [3, 3, 3]
        broker.redis.delete("block")
        assert broker.wait_for_notes(10)[1:] == ["interactive"] * 3 + ["batch"] * 3 + ["search"] * 3
        assert tickets.depth("lab") == 3
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0


def test_signal_ends_the_task_and_then_the_worker(broker: Any) -> None:
    with broker.recording_worker("search") as process:
        broker.redis.set("block", "1")
        CeleryTickets(broker.url).send("search")
        broker.wait_for_notes(1)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert broker.wait_for_notes(2) == ["search", "stopped"]
