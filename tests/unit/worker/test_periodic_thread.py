import os
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import structlog.testing

from tilework.core.periodic_thread import PeriodicThread
from tilework.worker.heartbeat import (
    STALE_AFTER_S,
    connection_file,
    heartbeat_file,
    is_beating,
    touch_heartbeat_files,
)


def test_thread_continues_after_errors_which_are_logged_once() -> None:
    finished = threading.Event()
    number = 0

    def run_once() -> None:
        nonlocal number
        number += 1
        if number <= 3:
            raise ConnectionError("no database")
        if number == 6:
            finished.set()

    thread = PeriodicThread("reconciler", run_once, 0.001)
    with structlog.testing.capture_logs() as lines:
        thread.start()
        assert finished.wait(60)
        thread.stop()
        thread.join()
    assert [line["log_level"] for line in lines] == ["error", "info"]
    PeriodicThread("never started", lambda: None, 1.0).stop()


def test_only_a_recent_heartbeat_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    touch_heartbeat_files(is_connected=True)  # works without files
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    file = heartbeat_file()
    assert str(os.getuid()) in file.name  # each user has their own
    assert not is_beating(file)
    touch_heartbeat_files(is_connected=False)
    assert is_beating(file)
    assert not is_beating(connection_file())
    touch_heartbeat_files(is_connected=True)
    assert is_beating(connection_file())
    expired = time.time() - STALE_AFTER_S - 1
    os.utime(file, (expired, expired))
    assert not is_beating(file)


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


def make_sender(tickets: SlowTickets) -> Any:
    from tilework.web.app import TicketSender  # loads the web application

    return TicketSender(tickets)


def test_sending_does_not_wait_and_requests_are_combined() -> None:
    slow = SlowTickets()
    sender = make_sender(slow)
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
    sender = make_sender(slow)
    for count in range(1, 20):
        sender.send("batch")
        slow.wait_for(count)
    assert slow.sent == [("batch", 1)] * 19
