import threading
from concurrent.futures import ThreadPoolExecutor

from tilework.worker.tickets import TicketSender


class SlowTickets:
    """Holds the first ticket until it is released."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, int]] = []
        self.begun = threading.Event()
        self.let_go = threading.Event()
        self._news = threading.Condition()

    def send(self, queue: str, count: int = 1) -> None:
        self.begun.set()
        assert self.let_go.wait(60)
        with self._news:
            self.sent.append((queue, count))
            self._news.notify()

    def depth(self, queue: str) -> int | None:
        return len(queue)

    def wait_for(self, count: int) -> None:
        with self._news:
            assert self._news.wait_for(lambda: len(self.sent) >= count, 60)


def test_sending_does_not_wait_and_requests_are_combined() -> None:
    slow = SlowTickets()
    messenger = TicketSender(slow)
    messenger.send("interactive")
    assert slow.begun.wait(60)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(messenger.send, ["interactive"] * 50))
    messenger.send("search", 3)
    assert slow.sent == []
    slow.let_go.set()
    slow.wait_for(3)
    assert slow.sent == [("interactive", 1), ("interactive", 50), ("search", 3)]


def test_work_after_a_sent_ticket_gets_another_ticket() -> None:
    slow = SlowTickets()
    slow.let_go.set()
    messenger = TicketSender(slow)
    for sent in range(1, 20):
        messenger.send("batch")
        slow.wait_for(sent)
    assert slow.sent == [("batch", 1)] * 19
