import threading
from concurrent.futures import ThreadPoolExecutor

from tilework.web.app import TicketSender


class SlowTickets:
    """Blocks while sending until it is released."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, int]] = []
        self.started = threading.Event()
        self.released = threading.Event()
        self._changed = threading.Condition()

    def send(self, queue: str, count: int = 1) -> None:
        self.started.set()
        assert self.released.wait(60)
        with self._changed:
            self.sent.append((queue, count))
            self._changed.notify()

    def depth(self, queue: str) -> int | None:
        return len(queue)

    def wait_for(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.sent) >= count, 60)


def test_sending_does_not_wait_and_requests_are_combined() -> None:
    slow = SlowTickets()
    sender = TicketSender(slow)
    sender.send("interactive")
    assert slow.started.wait(60)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(sender.send, ["interactive"] * 50))
    sender.send("search", 3)
    assert slow.sent == []
    slow.released.set()
    slow.wait_for(3)
    assert slow.sent == [("interactive", 1), ("interactive", 50), ("search", 3)]


def test_request_after_a_sent_ticket_sends_another_ticket() -> None:
    slow = SlowTickets()
    slow.released.set()
    sender = TicketSender(slow)
    for count in range(1, 20):
        sender.send("batch")
        slow.wait_for(count)
    assert slow.sent == [("batch", 1)] * 19
